import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { run } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { missingPrograms } from '../failover/cluster.ts'
import { chromiumProgram, shareChromium } from './chromium.ts'
import { shareTemplate } from './databases.ts'
import { hasPgBouncer, startPgBouncer } from './pgbouncer.ts'
import { hasPhp } from './php.ts'
import { hasPostfix } from './postfix.ts'
import { hasPostgres, type PostgresServer, postgresServer } from './postgres.ts'
import { pythonWithCalendar, pythonWithRecurrence } from './python.ts'
import { hasRadicale } from './radicale.ts'
import { type FileResult, fileResultOf } from './report.ts'

// The time limits of a test and of a test file in milliseconds, which are multiplied by the scale if it is above 1.
// They are several times what the slowest test and file take on an idle machine, because other work on the machine
// slows all files down.
const testTimeout = 600_000
const fileTimeout = 1_200_000

/** Puts the repository's programs first in the PATH of child processes. */
export function preferOwnPrograms(): void {
  // Test files share a compile cache, so that each module is compiled once.
  process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/daybook')
  process.env.PATH = `${resolve('node_modules/.bin')}${delimiter}${process.env.PATH}`
}

const memoryFolder = '/dev/shm'
const memoryPrefix = 'daybook-tests-'
const gigabyte = 1024 ** 3
// The bytes that must be free in `memoryFolder`: an installation of the product by a test takes 0.8 GB, the databases
// of all tests together less.
const memoryNeeded = 3 * gigabyte

/**
 * Puts the temporary files of tests into memory on Linux, unless `TMPDIR` is set, if `memoryNeeded` bytes are free in
 * `memoryFolder` and twice as many in main memory: databases on a disk take a third of the processor time of storage
 * tests and most of their duration. `stop` removes the files.
 */
export function tempInMemory(): { stop(): void } {
  const given = process.env.TMPDIR !== undefined
  if (given || process.platform !== 'linux' || !existsSync(memoryFolder)) return { stop: () => {} }
  removeAbandoned()
  const { bavail, bsize } = statfsSync(memoryFolder)
  if (bavail * bsize < memoryNeeded || freemem() < 2 * memoryNeeded) return { stop: () => {} }
  const folder = join(memoryFolder, `${memoryPrefix}${process.pid}`)
  mkdirSync(folder)
  // The folder has the mode of /tmp: if the tests run as root, PostgreSQL runs as another user, who must be able to
  // remove its directory from this folder.
  chmodSync(folder, 0o1777)
  process.env.TMPDIR = folder
  return { stop: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Removes the temporary folders in memory that belong to killed test runs, whose processes no longer exist. */
function removeAbandoned(): void {
  for (const name of readdirSync(memoryFolder)) {
    if (!name.startsWith(memoryPrefix) || existsSync(`/proc/${name.slice(memoryPrefix.length)}`)) continue
    rmSync(join(memoryFolder, name), { recursive: true, force: true })
  }
}

/** Runs a command to its end; resolves to its exit code and its output. */
export function runCommand(
  command: string,
  args: readonly string[],
): Promise<{ code: number | null; printed: string }> {
  return new Promise((done) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (text) => (printed += text))
    child.stderr.setEncoding('utf8').on('data', (text) => (printed += text))
    child.on('error', (error) => done({ code: 1, printed: `${error.message}. Run "npm ci" first.` }))
    child.on('close', (code) => done({ code, printed }))
  })
}

/** Returns whether the tests of a file start a service that serves the built panel. */
export function needsPanel(file: string): boolean {
  return file.startsWith('test/web/') || file.startsWith('test/api/')
}

/**
 * The servers that a test run has started; `postgresUrl` is undefined without PostgreSQL, and `stop` ends all
 * servers.
 */
interface Provided {
  readonly postgresUrl: string | undefined
  stop(): Promise<void>
}

// Whether the service under test reaches PostgreSQL through PgBouncer in transaction mode.
const isPooled = process.env.DAYBOOK_TEST_PGBOUNCER === 'yes'

const radicaleTests = /^test\/calendars\/|^test\/crash\/calendars|^test\/web\/panel-caldav/

/**
 * Starts those servers that the test files share and need (one PostgreSQL server, optionally behind PgBouncer, and a
 * browser), and installs missing programs from Debian packages where possible. With `isFull`, also installs the
 * programs that the cluster of test/failover needs.
 */
export async function startSharedServers(files: readonly string[], isFull: boolean): Promise<Provided> {
  await install(await missingPackages(files, isFull))
  const browser = needsBrowser(files) ? await provideBrowser() : undefined
  const postgres = needsPostgres(files) ? await providePostgres() : undefined
  const template = postgres && (await shareTemplate(postgres))
  const pooler = postgres && isPooled ? await startPgBouncer(postgres) : undefined
  if (pooler) process.env.DAYBOOK_TEST_POOLER_PORT = String(pooler.port)
  return {
    postgresUrl: postgres?.url,
    async stop() {
      await browser?.stop()
      await pooler?.stop()
      await template?.stop()
      await postgres?.stop()
    },
  }
}

async function provideBrowser(): Promise<{ stop(): Promise<void> } | undefined> {
  // Older releases of Debian lack the package chromium-headless-shell.
  if (!chromiumProgram()) await install(['chromium'])
  const program = chromiumProgram()
  return program === undefined ? undefined : shareChromium(program)
}

async function providePostgres(): Promise<PostgresServer | undefined> {
  const server = await postgresServer()
  if (server) process.env.DAYBOOK_TEST_POSTGRES_URL = server.url
  return server
}

function needsBrowser(files: readonly string[]): boolean {
  return files.some((file) => file.startsWith('test/web/'))
}

function needsPostgres(files: readonly string[]): boolean {
  return files.some((file) => /^test\/.*\//.test(file))
}

/** Returns the Debian packages of the programs that the test files use and this machine lacks. */
async function missingPackages(files: readonly string[], isFull: boolean): Promise<string[]> {
  const uses = (path: string): boolean => files.some((file) => file.startsWith(path))
  const wanted: readonly (readonly [boolean, string | readonly string[]])[] = [
    [uses('test/operations/calendar-programs.test.ts') && !pythonWithCalendar(), 'python3-icalendar'],
    [uses('test/properties/recurrence.test.ts') && !pythonWithRecurrence(), 'python3-recurring-ical-events'],
    [uses('test/integrations.test.ts') && !(await hasPhp()), 'php-cli'],
    [(uses('test/concurrency/pgbouncer.test.ts') || isPooled) && !hasPgBouncer(), 'pgbouncer'],
    [files.some((file) => radicaleTests.test(file)) && !hasRadicale(), 'radicale'],
    [uses('test/jobs/postfix.test.ts') && !hasPostfix(), 'postfix'],
    [isFull && uses('test/failover/'), missingPrograms()],
    [needsBrowser(files) && !chromiumProgram(), 'chromium-headless-shell'],
    [needsPostgres(files) && !hasPostgres(), 'postgresql'],
  ]
  return wanted.flatMap(([isMissing, packages]) => (isMissing ? packages : []))
}

/**
 * Installs Debian packages in one transaction, or one by one where that fails, as when one of them does not exist; does
 * nothing unless this process runs as root on Debian.
 */
async function install(debianPackages: readonly string[]): Promise<void> {
  if (debianPackages.length === 0) return
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return
  console.log(`Installing ${debianPackages.join(', ')} for the tests …`)
  process.env.DEBIAN_FRONTEND = 'noninteractive'
  await runCommand('apt-get', ['update', '-qq'])
  const add = (packages: readonly string[]) =>
    runCommand('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages])
  if ((await add(debianPackages)).code === 0) return
  for (const name of debianPackages) {
    const { code, printed } = await add([name])
    if (code !== 0) console.log(printed.trim())
  }
}

/** Runs one test file in a separate process; the time limit grows with the scale. */
export async function runFile(file: string, env: NodeJS.ProcessEnv = process.env): Promise<FileResult> {
  const since = performance.now()
  const longer = Math.max(1, Number(env.DAYBOOK_TEST_SCALE ?? 1))
  const signal = AbortSignal.timeout(fileTimeout * longer)
  const events: TestEvent[] = []
  for await (const event of run({ files: [file], isolation: 'process', timeout: testTimeout * longer, signal, env }))
    events.push(event)
  return fileResultOf(file, (performance.now() - since) / 1000, events)
}
