import { createLiquidRenderer } from '../liquid.ts'
import type { WebhookPayload } from './payload.ts'

/** The maximum length of a template, in characters. */
export const maxTemplateLength = 20_000

const render = createLiquidRenderer({
  parseLimit: 100_000,
  memoryLimit: 1_000_000,
  strictVariables: true,
  lenientIf: true,
})
const maxOutput = 256 * 1024

/**
 * Renders a LiquidJS template of a request body within limits of time, memory and length. A template can read the
 * payload, but no files and no environment variables. Throws an error for a faulty template, an unknown filter, an
 * unknown variable outside of a condition, and an exceeded limit; except for a body that is too long, its message
 * contains the line of the fault.
 */
export async function renderTemplate(template: string, payload: WebhookPayload): Promise<string> {
  const body = await render(template, payload)
  if (body.length > maxOutput) throw new Error(`The rendered body is longer than ${maxOutput} characters.`)
  return body
}
