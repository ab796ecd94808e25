import type { Liquid } from 'liquidjs'

/** What a template is rendered with. */
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
  /** `''` unless the appointment was moved. */
  readonly previous_start: string
  /** `''` unless the customer must confirm the e-mail address. */
  readonly deadline: string
  /** The customer's page of the reservation; `''` in messages without it. */
  readonly manage_url: string
}

// A template of a few lines takes microseconds, and the first one of a busy process over 50 milliseconds; these limits
// stop one that loops.
const limits = { parseLimit: 20_000, renderLimit: 250, memoryLimit: 200_000 }

/** Renders a template; unknown variables are empty. Throws for a template that cannot be parsed or exceeds a limit. */
export function renderLiquid(template: string, variables: object): Promise<string> {
  return render(template, variables, { strictVariables: false })
}

/** Why a template cannot be used, with its line; undefined when it can. An unknown variable is an error. */
export async function liquidFault(template: string, variables: object): Promise<string | undefined> {
  try {
    await render(template, variables, { strictVariables: true })
    return undefined
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error)
  }
}

/** Whether a template renders JSON. */
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
  return String(await engine.parseAndRender(template, { ...variables }))
}

const engines = new Map<boolean, Liquid>()

/** The engine, made at first use and then kept: every message renders two templates. */
async function engineOf(strictVariables: boolean): Promise<Liquid> {
  const known = engines.get(strictVariables)
  if (known) return known
  // Loaded on demand: an installation without mail does not need its memory.
  const { Liquid } = await import('liquidjs')
  const made = new Liquid({ ...limits, ownPropertyOnly: true, strictFilters: true, strictVariables, templates: {} })
  engines.set(strictVariables, made)
  return made
}
