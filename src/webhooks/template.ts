import type { WebhookPayload } from './payload.ts'

/** The maximum length of a template, in characters. */
export const maxTemplateLength = 20_000

const limits = { parseLimit: 100_000, renderLimit: 100, memoryLimit: 1_000_000 }
const maxOutput = 256 * 1024

/**
 * Renders a LiquidJS template of a request body within limits of time, memory and length. A template can read the
 * payload, but no files and no environment variables. Throws an error for a faulty template, an unknown filter, an
 * unknown variable outside of a condition, and an exceeded limit; except for a body that is too long, its message
 * contains the line of the fault.
 */
export async function renderTemplate(template: string, payload: WebhookPayload): Promise<string> {
  // LiquidJS is loaded on demand: most installations have no template.
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
