import type { Liquid, LiquidOptions } from 'liquidjs'

/**
 * The maximum time that rendering a template may occupy the processor, in milliseconds. Rendering a few lines takes
 * microseconds, but the first template of a process takes up to 20 milliseconds.
 */
const maxTime = 100

/** Renders a LiquidJS template with the given variables. */
export type LiquidRenderer = (template: string, variables: object) => Promise<string>

/**
 * Returns a function that renders LiquidJS templates within the limits of the options and of 100 ms of processor time.
 * A template can read the own properties of the variables, but no files and no environment variables. The function
 * rejects with an error whose message contains line and column for a faulty template, an unknown filter and an exceeded
 * limit.
 */
export function createLiquidRenderer(options: LiquidOptions): LiquidRenderer {
  let engine: Liquid | undefined
  return async (template, variables) => {
    // LiquidJS is loaded on demand, so that it uses no memory in an installation without templates.
    const { Context, Liquid } = await import('liquidjs')
    engine ??= new Liquid({ strictFilters: true, ownPropertyOnly: true, templates: {}, ...options })
    const parsed = engine.parse(template)
    const context = new Context({ ...variables }, engine.options, {}, { liquid: engine })
    const start = process.threadCpuUsage()
    // LiquidJS's own limit counts elapsed time, so that templates would fail because other programs had the processor.
    context.renderLimit.check = () => {
      const { user, system } = process.threadCpuUsage(start)
      if (user + system > maxTime * 1_000) throw new Error('template render limit exceeded')
    }
    return String(await engine.render(parsed, context))
  }
}
