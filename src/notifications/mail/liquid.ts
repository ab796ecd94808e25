import { Liquid } from 'liquidjs'

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
}

// A template of a few lines takes microseconds; these limits stop one that loops.
const limits = { parseLimit: 20_000, renderLimit: 50, memoryLimit: 200_000 }
const options = { ...limits, ownPropertyOnly: true, strictFilters: true, templates: {} }
const lenient = new Liquid(options)
const strict = new Liquid({ ...options, strictVariables: true })

/** Renders a template; unknown variables are empty. Throws for a template that cannot be parsed or exceeds a limit. */
export function renderLiquid(template: string, variables: TemplateVariables): string {
  return lenient.parseAndRenderSync(template, { ...variables })
}

/** Why a template cannot be used, with its line; undefined when it can. An unknown variable is an error. */
export function liquidFault(template: string, variables: TemplateVariables): string | undefined {
  try {
    strict.parseAndRenderSync(template, { ...variables })
    return undefined
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error)
  }
}
