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
import { type Outcome, outcomeOf } from './report.ts'

// Limits for a hanging test and for a file that leaks a handle; both grow with the scale. They are several times what the
// slowest takes on an idle machine, as other work on the machine slows all files down.
const testTimeout = 600_000
const fileTimeout = 1_200_000

/** Puts the repository's programs first in the PATH of child processes. */
export function preferOwnPrograms(): void {
  // Modules compiled by one test file are reused by the next.
  process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/daybook')
  process.env.PATH = `${resolve('node_modules/.bin')}${delimiter}${process.env.PATH}`
}

const memoryFolder = '/dev/shm'
const memoryPrefix = 'daybook-tests-'
const gigabyte = 1024 ** 3
// An installation takes 0.8 GB, the databases of all tests together less.
const memoryNeeded = 3 * gigabyte

/**
 * Puts the temporary files of tests into memory where there is plenty: databases on a disk take a third of the
 * processor time of storage tests and most of their duration. `stop` removes the files.
 */
export function tempInMemory(): { stop(): void } {
  const given = process.env.TMPDIR !== undefined
  if (given || process.platform !== 'linux' || !existsSync(memoryFolder)) return { stop: () => {} }
  removeAbandoned()
  const { bavail, bsize } = statfsSync(memoryFolder)
  if (bavail * bsize < memoryNeeded || freemem() < 2 * memoryNeeded) return { stop: () => {} }
  const folder = join(memoryFolder, `${memoryPrefix}${process.pid}`)
  mkdirSync(folder)
  // Like the usual directory: PostgreSQL runs as another user and removes its own directory.
  chmodSync(folder, 0o1777)
  process.env.TMPDIR = folder
  return { stop: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Removes what killed test runs have left in memory. */
function removeAbandoned(): void {
  for (const name of readdirSync(memoryFolder)) {
    if (!name.startsWith(memoryPrefix) || existsSync(`/proc/${name.slice(memoryPrefix.length)}`)) continue
    rmSync(join(memoryFolder, name), { recursive: true, force: true })
  }
}

/** Runs a command to its end and returns its output. */
export function finished(command: string, args: readonly string[]): Promise<{ code: number | null; printed: string }> {
  return new Promise((done) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (text) => (printed += text))
    child.stderr.setEncoding('utf8').on('data', (text) => (printed += text))
    child.on('error', (error) => done({ code: 1, printed: `${error.message}. Run "npm ci" first.` }))
    child.on('close', (code) => done({ code, printed }))
  })
}

/** Whether the service that a test file starts serves the built panel. */
export function needsPanel(file: string): boolean {
  return file.startsWith('test/web/') || file.startsWith('test/api/')
}

/** The resources of a test run. */
interface Provided {
  readonly postgresUrl: string | undefined
  stop(): Promise<void>
}

// Whether the service reaches every PostgreSQL database through PgBouncer in transaction mode.
const isPooled = process.env.DAYBOOK_TEST_PGBOUNCER === 'yes'

const radicaleTests = /^test\/calendars\/|^test\/crash\/calendars|^test\/web\/panel-caldav/

/**
 * Provides what these test files need and the machine may lack: one PostgreSQL server for all, passed by URL, and a
 * browser; from Debian packages where possible. A full run also gets what only it needs.
 */
export async function provide(files: readonly string[], isFull: boolean): Promise<Provided> {
  if (files.some((file) => file.endsWith('/calendar-programs.test.ts')) && !pythonWithCalendar())
    await install('python3-icalendar', 'python3-icalendar')
  if (files.includes('test/properties/recurrence.test.ts') && !pythonWithRecurrence())
    await install('python3-recurring-ical-events', 'python3-recurring-ical-events')
  if (files.includes('test/integrations.test.ts') && !(await hasPhp())) await install('PHP', 'php-cli')
  if ((files.includes('test/concurrency/pgbouncer.test.ts') || isPooled) && !hasPgBouncer())
    await install('PgBouncer', 'pgbouncer')
  if (files.some((file) => radicaleTests.test(file)) && !hasRadicale()) await install('Radicale', 'radicale')
  if (files.includes('test/jobs/postfix.test.ts') && !hasPostfix()) await install('Postfix', 'postfix')
  if (isFull && files.some((file) => file.startsWith('test/failover/')))
    await install('the programs of a cluster', ...missingPrograms())
  const browser = files.some((file) => file.startsWith('test/web/')) ? await provideBrowser() : undefined
  const postgres = files.some((file) => /^test\/.*\//.test(file)) ? await providePostgres() : undefined
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
  if (!chromiumProgram()) await install('Chromium', 'chromium-headless-shell')
  // Older releases of Debian have only the full browser.
  if (!chromiumProgram()) await install('Chromium', 'chromium')
  const program = chromiumProgram()
  return program === undefined ? undefined : shareChromium(program)
}

async function providePostgres(): Promise<PostgresServer | undefined> {
  if (!hasPostgres()) await install('PostgreSQL', 'postgresql')
  const server = await postgresServer()
  if (server) process.env.DAYBOOK_TEST_POSTGRES_URL = server.url
  return server
}

async function install(what: string, ...debianPackages: readonly string[]): Promise<void> {
  if (debianPackages.length === 0) return
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return
  console.log(`Installing ${what} for the tests …`)
  process.env.DEBIAN_FRONTEND = 'noninteractive'
  await finished('apt-get', ['update', '-qq'])
  const { code, printed } = await finished('apt-get', [
    'install',
    '-y',
    '-qq',
    '--no-install-recommends',
    ...debianPackages,
  ])
  if (code !== 0) console.log(printed.trim())
}

/** Runs one test file in a separate process; the time limit grows with the scale. */
export async function runFile(file: string, env: NodeJS.ProcessEnv = process.env): Promise<Outcome> {
  const since = performance.now()
  const longer = Math.max(1, Number(env.DAYBOOK_TEST_SCALE ?? 1))
  const signal = AbortSignal.timeout(fileTimeout * longer)
  const events: TestEvent[] = []
  for await (const event of run({ files: [file], isolation: 'process', timeout: testTimeout * longer, signal, env }))
    events.push(event)
  return outcomeOf(file, (performance.now() - since) / 1000, events)
}
