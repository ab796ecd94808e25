import { createLiquidRenderer } from '../../liquid.ts'

/** The variables that a template of messages about reservations can use. */
export interface TemplateVariables {
  readonly customer: { readonly name: string; readonly email: string; readonly phone: string }
  readonly service: { readonly name: string }
  readonly provider: { readonly name: string }
  readonly site: { readonly name: string; readonly url: string }
  readonly start: string
  readonly start_date: string
  readonly start_time: string
  readonly end_time: string
  readonly timezone: string
  /**
   * The start of the reservation before the change that the message announces; `''` when the change does not affect the
   * start, and in `confirmed` messages, reminders and follow-ups.
   */
  readonly previous_start: string
  /**
   * The URL of the page on which the customer manages the reservation; `''` in messages that do not link to that page.
   */
  readonly manage_url: string
  /**
   * The time until which the customer must confirm the e-mail address or pay; `''` when the reservation does not
   * expire, and in previews, except the preview of the `verify_email` template.
   */
  readonly deadline: string
  /** The fee for a missed visit with its currency; `''` when the reservation has none. */
  readonly fee: string
  /** The address of an online appointment; `''` when the message contains none. */
  readonly meeting: string
}

const limits = { parseLimit: 20_000, memoryLimit: 200_000 }
const renderStrictly = createLiquidRenderer({ ...limits, strictVariables: true })

/** Renders a template; unknown variables are empty. Throws when it cannot be parsed or rendered, or exceeds a limit. */
export const renderLiquid = createLiquidRenderer({ ...limits, strictVariables: false })

/**
 * Returns the reason for which a template cannot be used, usually with line and column; undefined for a valid template.
 * A template is invalid if rendering it with `variables` uses an unknown variable.
 */
export async function liquidFault(template: string, variables: object): Promise<string | undefined> {
  try {
    await renderStrictly(template, variables)
    return undefined
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error)
  }
}

/** Whether a template renders to valid JSON; false also when it cannot be rendered. */
export async function rendersJson(template: string, variables: object): Promise<boolean> {
  try {
    JSON.parse(await renderLiquid(template, variables))
    return true
  } catch {
    return false
  }
}
