import type { Liquid } from 'liquidjs'

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

// Limits of template characters, of rendering milliseconds and of memory, which stop a template that loops. Rendering a
// few lines takes microseconds, but the first template in a busy process takes over 50 milliseconds.
const limits = { parseLimit: 20_000, renderLimit: 250, memoryLimit: 200_000 }

/** Renders a template; unknown variables are empty. Throws when it cannot be parsed or rendered, or exceeds a limit. */
export function renderLiquid(template: string, variables: object): Promise<string> {
  return render(template, variables, { strictVariables: false })
}

/**
 * Returns the reason for which a template cannot be used, usually with line and column; undefined for a valid template.
 * A template is invalid if rendering it with `variables` uses an unknown variable.
 */
export async function liquidFault(template: string, variables: object): Promise<string | undefined> {
  try {
    await render(template, variables, { strictVariables: true })
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

async function render(
  template: string,
  variables: object,
  { strictVariables }: { readonly strictVariables: boolean },
): Promise<string> {
  const engine = await engineOf(strictVariables)
  const rendered = () => engine.parseAndRender(template, { ...variables })
  // The time limit also counts time for which the process is stalled, so a template that exceeds it is rendered once
  // more.
  return String(await rendered().then(undefined, (error) => (isOverTime(error) ? rendered() : Promise.reject(error))))
}

function isOverTime(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('template render limit exceeded')
}

const engines = new Map<boolean, Liquid>()

/** Returns the engine with or without strict variables. It is cached, because every message renders two templates. */
async function engineOf(strictVariables: boolean): Promise<Liquid> {
  const known = engines.get(strictVariables)
  if (known) return known
  // LiquidJS is loaded on demand, so that it uses no memory in an installation that sends no messages.
  const { Liquid } = await import('liquidjs')
  const made = new Liquid({ ...limits, ownPropertyOnly: true, strictFilters: true, strictVariables, templates: {} })
  engines.set(strictVariables, made)
  return made
}
