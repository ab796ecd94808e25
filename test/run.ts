// The test command. `node test/run.ts` runs every check and every test file; `--check` only the checks that take
// seconds; paths name the files or folders to run instead.
import { spawn } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { delimiter, resolve } from 'node:path'
import { run } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { parseArgs } from 'node:util'
import { chromiumProgram } from './support/chromium.ts'
import { hasPostgres, postgresServer } from './support/postgres.ts'
import { lines, type Outcome, outcomeOf, summary } from './support/report.ts'

const { values: options, positionals: wanted } = parseArgs({
  options: { check: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const testTimeout = 120_000
// A file that leaks a handle never ends by itself.
const fileTimeout = 200_000
const atOnce = 2
// The longest first, so that the last minutes do not run on one core.
const longest = [
  'test/properties/',
  'test/crash/',
  'test/concurrency/',
  'test/api/',
  'test/web/',
  'test/storage/',
  'test/cli/',
]

const startedAt = performance.now()
process.env.PATH = `${resolve('node_modules/.bin')}${delimiter}${process.env.PATH}`
const outcomes: Outcome[] = []

const files = options.check ? ['test/architecture.test.ts'] : testFiles()
const checks = wanted.length > 0 ? [] : [lint(), types(), panelTypes(), unused()]
const postgres = files.some((file) => /^test\/.*\//.test(file)) ? await sharedPostgres() : undefined
if (files.some((file) => file.startsWith('test/web/')) && !chromiumProgram()) await install('Chromium', 'chromium')
if (files.some((file) => file.startsWith('test/web/'))) await check('build of the panel', 'node', 'bin/build-panel.js')
if (files.length === 0) console.log('No test file begins like that.')
await Promise.all(checks)
await runFiles(files)
await postgres?.stop()
console.log(summary(outcomes, secondsSince(startedAt)))
process.exitCode = outcomes.length === 0 || outcomes.some((outcome) => outcome.failed > 0) ? 1 : 0

function testFiles(): string[] {
  const rank = (path: string): number => {
    const place = longest.findIndex((folder) => path.startsWith(folder))
    return place < 0 ? longest.length : place
  }
  return globSync('{src,test,web}/**/*.test.ts')
    .map((path) => path.replaceAll('\\', '/'))
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
  const { code, printed } = await finished(command, args)
  const failed = code === 0 ? 0 : 1
  const failures = failed ? [printed.trim()] : []
  show({ name, seconds: secondsSince(since), passed: 1 - failed, failed, skipped: [], failures, notes: [] })
}

/** A command run to its end, with all that it printed. */
function finished(command: string, args: readonly string[]): Promise<{ code: number | null; printed: string }> {
  return new Promise((done) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (text) => (printed += text))
    child.stderr.setEncoding('utf8').on('data', (text) => (printed += text))
    child.on('error', (error) => done({ code: 1, printed: `${error.message}. Run "npm ci" first.` }))
    child.on('close', (code) => done({ code, printed }))
  })
}

/** One PostgreSQL server for all files, told to them by its address; from Debian's packages where there is none. */
async function sharedPostgres(): Promise<{ stop(): Promise<void> } | undefined> {
  if (!hasPostgres()) await install('PostgreSQL', 'postgresql')
  const server = await postgresServer()
  if (server) process.env.DAYBOOK_TEST_POSTGRES_URL = server.url
  return server
}

/** Installs one of Debian's packages where that is possible; what it is for is left out where it is not. */
async function install(what: string, debianPackage: string): Promise<void> {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return
  console.log(`Installing ${what} for the tests …`)
  process.env.DEBIAN_FRONTEND = 'noninteractive'
  await finished('apt-get', ['update', '-qq'])
  const { code, printed } = await finished('apt-get', [
    'install',
    '-y',
    '-qq',
    '--no-install-recommends',
    debianPackage,
  ])
  if (code !== 0) console.log(printed.trim())
}

async function runFiles(files: readonly string[]): Promise<void> {
  const queue = [...files]
  const worker = async (): Promise<void> => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) await runFile(file)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

async function runFile(file: string): Promise<void> {
  const since = performance.now()
  const events: TestEvent[] = []
  const signal = AbortSignal.timeout(fileTimeout)
  for await (const event of run({ files: [file], isolation: 'process', timeout: testTimeout, signal }))
    events.push(event)
  show(outcomeOf(file, secondsSince(since), events))
}

function show(outcome: Outcome): void {
  outcomes.push(outcome)
  console.log(lines(outcome))
}

function secondsSince(moment: number): number {
  return (performance.now() - moment) / 1000
}
