import type { MutantCoverage, StrykerOptions } from '@stryker-mutator/api/core'
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin'
import {
  type DryRunOptions,
  type DryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner'
import fc from 'fast-check'
import { loadAnew } from './fresh.ts'
import { declared, idsOf, runSuite } from './node-test.ts'

/** The global object through which Stryker's instrumented code reads the active mutant and reports coverage. */
interface Instrumented {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  hitCount?: number | undefined
  hitLimit?: number | undefined
  mutantCoverage?: MutantCoverage | undefined
}

const name = 'daybook'
const instrumented: Instrumented = {}
Object.assign(globalThis, { __stryker__: instrumented })
// Property tests run the same cases for every mutant, so that its result is stable. Counterexamples are not shrunk,
// which would cost a hundred runs.
fc.configureGlobal({ seed: 1, endOnFailure: true })

/**
 * A test runner of Stryker that runs test files in its own process and reloads all modules for each file, which takes
 * about ten milliseconds per file; a separate process would take hundreds.
 */
class InProcess implements TestRunner {
  static inject = tokens(commonTokens.options)
  readonly #files: readonly string[]

  constructor(options: StrykerOptions) {
    this.#files = Array.isArray(options[name]) ? options[name].map(String) : []
  }

  capabilities() {
    return { reloadEnvironment: true }
  }

  async dryRun(options: DryRunOptions): Promise<DryRunResult> {
    const perTest: MutantCoverage['perTest'] = {}
    const tests = await this.#run(options, undefined, (ids, covered) => {
      // Code that runs while a file is loaded counts as covered by each test of the file, because a mutant in that code
      // affects each of them.
      for (const id of ids) perTest[id] = added(covered.perTest[id], covered.static)
    })
    const failed = tests.find((test) => test.status === TestStatus.Failed)
    if (failed) return { status: DryRunStatus.Error, errorMessage: `${failed.name}: ${failed.failureMessage}` }
    return { status: DryRunStatus.Complete, tests, mutantCoverage: { static: {}, perTest } }
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { activeMutant, hitLimit, testFilter } = options
    instrumented.activeMutant = activeMutant.id
    instrumented.hitLimit = hitLimit
    instrumented.hitCount = hitLimit === undefined ? undefined : 0
    const tests = await this.#run(options, testFilter && new Set(testFilter))
    const endless = determineHitLimitReached(instrumented.hitCount, hitLimit)
    return toMutantRunResult(endless ?? { status: DryRunStatus.Complete, tests })
  }

  async #run(
    { disableBail }: { readonly disableBail: boolean },
    wanted: ReadonlySet<string> | undefined,
    onCoverage?: (ids: readonly string[], covered: MutantCoverage) => void,
  ): Promise<TestResult[]> {
    const results: TestResult[] = []
    for (const file of this.#files) {
      if (wanted && ![...wanted].some((id) => id.startsWith(`${file} > `))) continue
      const covered: MutantCoverage = { static: {}, perTest: {} }
      instrumented.mutantCoverage = onCoverage && covered
      instrumented.currentTestId = undefined
      const fileResult = await runFile(file, disableBail, wanted)
      results.push(...fileResult.results)
      onCoverage?.(fileResult.ids, covered)
      if (!disableBail && fileResult.results.some((one) => one.status === TestStatus.Failed)) break
    }
    return results
  }
}

async function runFile(file: string, disableBail: boolean, wanted: ReadonlySet<string> | undefined) {
  const results: TestResult[] = []
  const tell = (id: string, timeSpentMs: number, failure: string | undefined) => {
    const result = { id, name: id, timeSpentMs, fileName: file }
    results.push(
      failure === undefined
        ? { ...result, status: TestStatus.Success }
        : { ...result, status: TestStatus.Failed, failureMessage: failure },
    )
  }
  try {
    const suite = await declared(file, () => loadAnew(file))
    const ids = idsOf(suite)
    await runSuite(suite, {
      wants: (id) => wanted?.has(id) ?? true,
      begins: (id) => {
        instrumented.currentTestId = id
      },
      ended: ({ id, seconds, failure }) => {
        instrumented.currentTestId = undefined
        tell(id, seconds * 1000, failure)
        return failure !== undefined && !disableBail
      },
    })
    return { ids, results }
  } catch (error) {
    // A mutant that prevents a file from loading counts as detected by the first test of the file.
    tell([...(wanted ?? [file])].find((id) => id.startsWith(file)) ?? file, 0, String(error))
    return { ids: [], results }
  }
}

function added(one: Record<string, number> = {}, other: Record<string, number> = {}): Record<string, number> {
  const sum = { ...one }
  for (const [id, hits] of Object.entries(other)) sum[id] = (sum[id] ?? 0) + hits
  return sum
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, name, InProcess)]
export const strykerValidationSchema = {
  type: 'object',
  properties: { [name]: { type: 'array', items: { type: 'string' } } },
}
