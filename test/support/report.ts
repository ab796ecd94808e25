import { relative } from 'node:path'
import type { EventData } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { pathToFileURL } from 'node:url'

/** The result of one check, such as lint, or of one test file. */
export interface FileResult {
  readonly name: string
  readonly seconds: number
  readonly passed: number
  readonly failed: number
  /** The skipped tests and the tests marked as todo, with their reasons. */
  readonly skipped: readonly string[]
  /** The failed tests, each with its message and stack as text; then, if anything failed, what the file printed. */
  readonly failures: readonly string[]
  /** The diagnostics of the tests, such as a seed or a count of cases. */
  readonly notes: readonly string[]
}

/**
 * Converts the test runner's events for one test file to its result. Output of the file is included only on failure.
 */
export function fileResultOf(name: string, seconds: number, events: readonly TestEvent[]): FileResult {
  const trail: string[] = []
  const skipped: string[] = []
  const failures: string[] = []
  const printed: string[] = []
  const notes: string[] = []
  let cancelled = false
  let counts = { tests: 1, passed: 0, skipped: 0, todo: 0 }
  let success = false
  for (const { type, data } of events) {
    if (type === 'test:start') trail.splice(data.nesting, trail.length, data.name)
    if (type === 'test:pass') skipped.push(...leftOut(data, trail))
    if (type === 'test:fail') {
      failures.push(...failure(data, trail, cancelled))
      cancelled ||= failureType(data.details.error) === 'cancelledByParent'
    }
    if (type === 'test:stdout' || type === 'test:stderr') printed.push(data.message)
    if (type === 'test:diagnostic' && data.file !== undefined) notes.push(data.message)
    if (type === 'test:summary') ({ counts, success } = data)
  }
  // The counts do not include a suite whose `after` hook failed.
  const failed = Math.max(counts.tests - counts.passed - counts.skipped - counts.todo, success ? 0 : 1)
  if (failed > 0 && printed.length > 0) failures.push(`It printed:\n${printed.join('').trimEnd()}`)
  return { name, seconds, passed: counts.passed, failed, skipped, failures, notes }
}

function leftOut(data: EventData.TestPass, trail: readonly string[]): string[] {
  const reason = data.skip ?? data.todo
  if (reason === undefined || reason === false) return []
  return [`${nameOf(data, trail)}: ${reason === true ? 'no reason given' : reason}`]
}

function failure(data: EventData.TestFail, trail: readonly string[], cancelledBefore: boolean): string[] {
  const { error } = data.details
  // A suite that failed because of its tests has no failure of its own; the failed tests have theirs.
  if (failureType(error) === 'subtestsFailed') return []
  // The first cancelled test may have caused the timeout; later cancelled tests only waited for that test.
  if (failureType(error) === 'cancelledByParent' && cancelledBefore) return []
  const cause = error.cause instanceof Error ? error.cause : error
  const place = data.file === undefined ? '' : ` (${relative(process.cwd(), data.file)}:${data.line})`
  // The error of a failed property-based test reports the counterexample; its `cause` is the failure of the assertion.
  const reason = cause.cause instanceof Error ? `\nCaused by: ${stackOf(cause.cause)}` : ''
  return [`${nameOf(data, trail)}${place}\n${stackOf(cause)}${reason}`]
}

function failureType(error: Error): unknown {
  return 'failureType' in error ? error.failureType : undefined
}

function nameOf({ nesting, name }: { nesting: number; name: string }, trail: readonly string[]): string {
  return [...trail.slice(0, nesting), name].join(' › ')
}

/** Returns an error's message and the stack frames within the repository. */
function stackOf(error: Error): string {
  const [message = '', ...frames] = (error.stack ?? error.message).split(/\n(?=\s+at )/)
  const own = frames.filter((line) => !line.includes('(node:') && !line.includes('node_modules'))
  return [message, ...own.map((line) => line.replace(`${pathToFileURL(process.cwd()).href}/`, ''))].join('\n')
}

/** Returns the lines that the test command prints when a check or a test file has completed. */
export function lines(outcome: FileResult): string {
  const { name, seconds, passed, failed, skipped, failures, notes } = outcome
  const counts = [
    `${passed} passed`,
    ...(failed ? [`${failed} FAILED`] : []),
    ...(skipped.length ? [`${skipped.length} skipped`] : []),
  ]
  const head = `${failed ? '✖' : '✔'} ${name}  ${counts.join(', ')}  ${seconds.toFixed(1)} s`
  return [head, ...notes.map((note) => `  · ${note}`), ...failures.map((text) => text.replace(/^/gm, '    '))].join(
    '\n',
  )
}

/** The number of lines of each failure that the summary repeats, so that a reader of the log's end sees what failed. */
const maxRepeatedLines = 20

function shortened({ name, failures }: FileResult): string[] {
  const texts = failures.map((text) => text.split('\n').slice(0, maxRepeatedLines).join('\n').replace(/^/gm, '    '))
  return [`  ${name}`, ...texts]
}

/** Returns the summary of a test run of `seconds` seconds; its last line is exactly `N passed, N failed, N skipped`. */
export function summary(outcomes: readonly FileResult[], seconds: number): string {
  const total = (count: (outcome: FileResult) => number): number => outcomes.reduce((sum, one) => sum + count(one), 0)
  const slowest = outcomes.toSorted((a, b) => b.seconds - a.seconds).slice(0, 5)
  const failed = outcomes.filter((one) => one.failed > 0)
  const skipped = outcomes.flatMap((one) => one.skipped.map((text) => `${one.name}: ${text}`))
  return [
    '',
    `${seconds.toFixed(0)} s in all; slowest: ${slowest.map((one) => `${one.name} ${one.seconds.toFixed(1)} s`).join(', ')}`,
    ...(skipped.length ? ['Left out:', ...skipped.map((text) => `  ${text}`)] : []),
    ...(failed.length ? ['Failed:', ...failed.flatMap(shortened)] : []),
    `${total((one) => one.passed)} passed, ${total((one) => one.failed)} failed, ${total((one) => one.skipped.length)} skipped`,
  ].join('\n')
}
