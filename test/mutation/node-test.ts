/**
 * The function of a test or a hook, which receives the context of the test or, in `before` and `after`, of the suite.
 */
type Work = (context: Context) => unknown

interface Context {
  readonly name: string
  after(work: () => unknown): void
  diagnostic(message: string): void
  skip(why?: string): void
}

interface Options {
  readonly skip?: boolean | string
  /** Accepted and ignored: Stryker ends tests that take too long. */
  readonly timeout?: number
}

interface Suite {
  readonly name: string
  readonly skip: boolean
  readonly before: Work[]
  readonly after: Work[]
  readonly beforeEach: Work[]
  readonly afterEach: Work[]
  readonly parts: (Suite | Test)[]
}

interface Test {
  readonly id: string
  readonly name: string
  readonly skip: boolean
  readonly work: Work
}

/** The result of one test; `failure` is absent when it passed. */
export interface TestResult {
  readonly id: string
  readonly seconds: number
  readonly failure?: string
}

/**
 * Selects the tests to run, and is notified of the start and end of each test that runs. When a `before` or `after`
 * hook of a suite fails, `ended` is called without `begins`, with a failure of the suite's first selected test. When
 * `ended` returns true, no further test runs.
 */
export interface TestListener {
  wants(id: string): boolean
  begins(id: string): void
  ended(result: TestResult): boolean
}

let open: Suite = suiteNamed('', false)
let ids = new Map<string, number>()

/** The `test` of `node:test` in mutation tests: registers a test with the suite that is being declared. */
export function test(name: string, ...given: readonly (Options | Work)[]): void {
  const { options, work } = taken(given)
  const full = `${open.name}${name}`
  const times = (ids.get(full) ?? 0) + 1
  ids.set(full, times)
  const id = times === 1 ? full : `${full} #${times}`
  open.parts.push({ id, name, skip: open.skip || Boolean(options.skip), work })
}

/**
 * The `describe` of `node:test` in mutation tests: registers a suite and calls its function, which declares its
 * tests.
 */
export function describe(name: string, ...given: readonly (Options | Work)[]): void {
  const { options, work } = taken(given)
  const outer = open
  open = suiteNamed(`${outer.name}${name} > `, outer.skip || Boolean(options.skip))
  outer.parts.push(open)
  work(quiet(name, []))
  open = outer
}

export const before = (work: Work): void => void open.before.push(work)
export const after = (work: Work): void => void open.after.push(work)
export const beforeEach = (work: Work): void => void open.beforeEach.push(work)
export const afterEach = (work: Work): void => void open.afterEach.push(work)

/** Returns the suite of the tests that `load` declares, whose ids begin with `prefix`. */
export async function declared(prefix: string, load: () => Promise<unknown>): Promise<Suite> {
  const suite = suiteNamed(`${prefix} > `, false)
  open = suite
  ids = new Map()
  await load()
  return suite
}

/** Returns the ids of the tests of a suite and of the suites in it, without skipped tests. */
export function idsOf(suite: Suite): string[] {
  return suite.parts.flatMap((part) => ('parts' in part ? idsOf(part) : part.skip ? [] : [part.id]))
}

/** Runs the selected tests of a suite sequentially; returns true when the listener ended the run. */
export async function runSuite(suite: Suite, listener: TestListener, outer: readonly Suite[] = []): Promise<boolean> {
  const first = idsOf(suite).find((id) => listener.wants(id))
  if (first === undefined) return false
  const suites = [...outer, suite]
  let ended = false
  // A failed `before` or `after` hook counts as a failure of the suite's first selected test, because without the hook
  // the tests prove nothing.
  const hook = async (works: readonly Work[]) => {
    const failure = await failureOf(async () => {
      for (const work of works) await work(quiet(suite.name, []))
    })
    if (failure !== undefined && !ended) ended = listener.ended({ id: first, seconds: 0, failure })
    return failure === undefined
  }
  if (await hook(suite.before))
    for (const part of suite.parts) {
      if (ended) break
      if ('parts' in part) ended = await runSuite(part, listener, suites)
      else if (!part.skip && listener.wants(part.id)) ended = await runTest(part, suites, listener)
    }
  await hook(suite.after)
  return ended
}

async function runTest(test: Test, suites: readonly Suite[], listener: TestListener): Promise<boolean> {
  const ends: (() => unknown)[] = []
  const context = quiet(test.name, ends)
  const since = performance.now()
  listener.begins(test.id)
  const failures = [
    await failureOf(async () => {
      for (const suite of suites) for (const work of suite.beforeEach) await work(context)
      await Promise.race([test.work(context), stray()])
    }),
    await failureOf(async () => {
      for (const end of ends.reverse()) await end()
      for (const suite of suites) for (const work of suite.afterEach) await work(context)
    }),
  ]
  onError = undefined
  const failure = failures.find((one) => one !== undefined)
  const seconds = (performance.now() - since) / 1000
  return listener.ended({ id: test.id, seconds, ...(failure !== undefined && { failure }) })
}

async function failureOf(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

let onError: ((error: unknown) => void) | undefined

/**
 * Returns a promise that rejects at the next unhandled exception or rejection, so that the running test fails as under
 * `node:test`.
 */
function stray(): Promise<never> {
  return new Promise((_, reject) => {
    onError = reject
  })
}

process.on('uncaughtException', (error) => onError?.(error))
process.on('unhandledRejection', (error) => onError?.(error))

function suiteNamed(name: string, skip: boolean): Suite {
  return { name, skip, before: [], after: [], beforeEach: [], afterEach: [], parts: [] }
}

function taken(given: readonly (Options | Work)[]): { options: Options; work: Work } {
  const work = given.find((one) => typeof one === 'function')
  const options = given.find((one) => typeof one === 'object')
  return { options: options ?? {}, work: work ?? (() => {}) }
}

function quiet(name: string, ends: (() => unknown)[]): Context {
  return { name, after: (work) => void ends.push(work), diagnostic: () => {}, skip: () => {} }
}
