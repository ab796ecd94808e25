import type { WebhookPayload } from './payload.ts'

/** The largest template, in characters. */
export const maxTemplateLength = 20_000

const limits = { parseLimit: 100_000, renderLimit: 100, memoryLimit: 1_000_000 }
const maxOutput = 256 * 1024

/**
 * Renders a LiquidJS template of a body within limits of time and memory. Templates see the payload alone: no files, no
 * environment, no unknown variables or filters. Throws with a message that names the line of a fault.
 */
export async function renderTemplate(template: string, payload: WebhookPayload): Promise<string> {
  // Loaded on demand: most installations have no template.
  const { Liquid } = await import('liquidjs')
  const engine = new Liquid({
    ...limits,
    strictFilters: true,
    strictVariables: true,
    lenientIf: true,
    ownPropertyOnly: true,
    relativeReference: false,
    templates: {},
  })
  const body = String(await engine.parseAndRender(template, { ...payload }))
  if (body.length > maxOutput) throw new Error(`The rendered body is longer than ${maxOutput} characters.`)
  return body
}
