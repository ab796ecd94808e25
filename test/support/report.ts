import { relative } from 'node:path'
import type { EventData } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { pathToFileURL } from 'node:url'

/** The result of one check or one test file. */
export interface Outcome {
  readonly name: string
  readonly seconds: number
  readonly passed: number
  readonly failed: number
  /** Skipped tests with their reasons. */
  readonly skipped: readonly string[]
  /** Failures, formatted. */
  readonly failures: readonly string[]
  /** Figures that tests report, such as a seed or a count of cases. */
  readonly notes: readonly string[]
}

/** Converts the events of one test file to its outcome. Output of the file is included only on failure. */
export function outcomeOf(name: string, seconds: number, events: readonly TestEvent[]): Outcome {
  const trail: string[] = []
  const skipped: string[] = []
  const failures: string[] = []
  const printed: string[] = []
  const notes: string[] = []
  let cancelled = false
  let counts = { tests: 1, passed: 0, skipped: 0, todo: 0 }
  for (const { type, data } of events) {
    if (type === 'test:start') trail.splice(data.nesting, trail.length, data.name)
    if (type === 'test:pass') skipped.push(...leftOut(data, trail))
    if (type === 'test:fail') {
      failures.push(...failure(data, trail, cancelled))
      cancelled ||= failureType(data.details.error) === 'cancelledByParent'
    }
    if (type === 'test:stdout' || type === 'test:stderr') printed.push(data.message)
    if (type === 'test:diagnostic' && data.file !== undefined) notes.push(data.message)
    if (type === 'test:summary') counts = data.counts
  }
  const failed = counts.tests - counts.passed - counts.skipped - counts.todo
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
  // A suite failed because of its tests, each of which has its own entry.
  if (failureType(error) === 'subtestsFailed') return []
  // The first cancelled test may be the one that hung; the others only waited for it.
  if (failureType(error) === 'cancelledByParent' && cancelledBefore) return []
  const cause = error.cause instanceof Error ? error.cause : error
  const place = data.file === undefined ? '' : ` (${relative(process.cwd(), data.file)}:${data.line})`
  return [`${nameOf(data, trail)}${place}\n${stackOf(cause)}`]
}

function failureType(error: Error): unknown {
  return 'failureType' in error ? error.failureType : undefined
}

function nameOf({ nesting, name }: { nesting: number; name: string }, trail: readonly string[]): string {
  return [...trail.slice(0, nesting), name].join(' › ')
}

/** Returns the message and the stack frames within the repository. */
function stackOf(error: Error): string {
  const [message = '', ...frames] = (error.stack ?? error.message).split(/\n(?=\s+at )/)
  const own = frames.filter((line) => !line.includes('(node:') && !line.includes('node_modules'))
  return [message, ...own.map((line) => line.replace(`${pathToFileURL(process.cwd()).href}/`, ''))].join('\n')
}

/** Returns the lines shown when a check or file has completed. */
export function lines(outcome: Outcome): string {
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

/** Lines of a failure that the summary repeats: whoever reads a log from its end needs no more to begin with. */
const maxRepeatedLines = 20

function shortened({ name, failures }: Outcome): string[] {
  const texts = failures.map((text) => text.split('\n').slice(0, maxRepeatedLines).join('\n').replace(/^/gm, '    '))
  return [`  ${name}`, ...texts]
}

/** Returns the summary; its last line is exactly `N passed, N failed, N skipped`. */
export function summary(outcomes: readonly Outcome[], seconds: number): string {
  const total = (count: (outcome: Outcome) => number): number => outcomes.reduce((sum, one) => sum + count(one), 0)
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
