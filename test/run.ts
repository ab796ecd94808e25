// The test command. `node test/run.ts` runs every check and every test file; `--check` only lint, types, unused code
// and the import rules; `--changed` the checks and the tests that a change since HEAD, or since `--base REVISION`, can
// affect. With paths, only test files whose path begins with one of them run, without the checks.
import { globSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { affectedBy, changedSince } from './support/affected.ts'
import { type FileResult, lines, summary } from './support/report.ts'
import {
  needsPanel,
  preferOwnPrograms,
  runCommand,
  runFile,
  startSharedServers,
  tempInMemory,
} from './support/runner.ts'
import { scale } from './support/scale.ts'

const { values: options, positionals: wanted } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    changed: { type: 'boolean', default: false },
    base: { type: 'string', default: 'HEAD' },
  },
  allowPositionals: true,
})
// Prefixes of the paths of test files that mostly wait: for processes to start, for time to pass, or for a peer. They
// run concurrently with files that compute, so that the processors are busy meanwhile.
const waiting = [
  'test/crash/',
  'test/webhooks/',
  'test/jobs/',
  'test/api/hostile-clients.test.ts',
  'test/api/connections.test.ts',
  'test/web/panel-layout-shift.test.ts',
  'test/web/panel-working-day.test.ts',
]
// Prefixes of the paths of test files that measure how soon the service responds under load, or its memory at rest.
// They run after all others, one at a time, since they would otherwise measure how busy the machine is.
const measuring = ['test/api/saturation.test.ts', 'test/cli/footprint.test.ts']
// The number of workers that prefer waiting files, and computing files. Their sum exceeds the number of processors of a
// two-core machine, so that a processor is busy while files wait.
const maxParallel = { waiting: 2, computing: 3 }
// The slowest files and folders, which run first, so that the last minutes do not use one core only.
const slowFirst = [
  'test/docs.test.ts',
  'test/web/panel-providers.test.ts',
  'test/web/panel-hours.test.ts',
  'test/web/panel-notifications.test.ts',
  'test/web/panel.test.ts',
  'test/web/panel-roles.test.ts',
  'test/crash/',
  'test/web/',
  'test/properties/',
  'test/concurrency/',
  'test/fuzz/',
  'test/webhooks/',
  'test/cli/',
  'test/api/',
  'test/storage/',
  'test/jobs/',
]

const startedAt = performance.now()
preferOwnPrograms()
const temp = tempInMemory()
const outcomes: FileResult[] = []

const files = options.check ? ['test/architecture.test.ts'] : testFiles()
const checks = wanted.length > 0 ? [] : [lint(), types(), panelTypes(), unused()]
const provided = await startSharedServers(files, scale > 1)
if (files.some(needsPanel)) await check('build of the panel', 'node', 'bin/build-panel.js')
if (files.length === 0) console.log('No test file begins like that.')
await Promise.all(checks)
await runFiles(files)
await provided.stop()
temp.stop()
console.log(summary(outcomes, secondsSince(startedAt)))
process.exitCode = outcomes.length === 0 || outcomes.some((outcome) => outcome.failed > 0) ? 1 : 0

function testFiles(): string[] {
  const rank = (path: string): number => {
    const place = slowFirst.findIndex((folder) => path.startsWith(folder))
    return place < 0 ? slowFirst.length : place
  }
  const all = globSync('{src,test,web}/**/*.test.ts').map((path) => path.replaceAll('\\', '/'))
  return (options.changed ? affectedBy(changedSince(options.base), all) : all)
    .filter((path) => wanted.length === 0 || wanted.some((start) => path.startsWith(start.replace(/^\.\//, ''))))
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
}

function lint(): Promise<void> {
  return check('lint', 'biome', 'check', '--error-on-warnings', '--colors=off')
}

function types(): Promise<void> {
  return check('types', 'tsc', '-p', '.', '--pretty', 'false')
}

function panelTypes(): Promise<void> {
  return check('types of the panel', 'tsc', '-p', 'web/admin', '--pretty', 'false')
}

function unused(): Promise<void> {
  return check('unused code', 'knip', '--no-progress')
}

async function check(name: string, command: string, ...args: string[]): Promise<void> {
  const since = performance.now()
  const { code, printed } = await runCommand(command, args)
  const failed = code === 0 ? 0 : 1
  const failures = failed ? [printed.trim()] : []
  show({ name, seconds: secondsSince(since), passed: 1 - failed, failed, skipped: [], failures, notes: [] })
}

async function runFiles(files: readonly string[]): Promise<void> {
  const kinds = Object.groupBy(files, (file) => {
    const isIn = (list: readonly string[]): boolean => list.some((start) => file.startsWith(start))
    return isIn(measuring) ? 'measuring' : isIn(waiting) ? 'waiting' : 'computing'
  })
  const queues = { waiting: kinds.waiting ?? [], computing: kinds.computing ?? [] }
  // A worker first runs the files of the kind that it prefers, then those of the other kind.
  const worker = async (first: string[], then: string[]): Promise<void> => {
    for (let file = first.shift() ?? then.shift(); file !== undefined; file = first.shift() ?? then.shift())
      show(await runFile(file))
  }
  await Promise.all([
    ...Array.from({ length: maxParallel.waiting }, () => worker(queues.waiting, queues.computing)),
    ...Array.from({ length: maxParallel.computing }, () => worker(queues.computing, queues.waiting)),
  ])
  for (const file of kinds.measuring ?? []) show(await runFile(file))
}

function show(outcome: FileResult): void {
  outcomes.push(outcome)
  console.log(lines(outcome))
}

function secondsSince(moment: number): number {
  return (performance.now() - moment) / 1000
}
