import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, resolve } from 'node:path'
import { run } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { chromiumProgram, shareChromium } from './chromium.ts'
import { hasPostgres, type PostgresServer, postgresServer } from './postgres.ts'
import { type Outcome, outcomeOf } from './report.ts'

// A test that hangs, and a file that leaks a handle and never ends by itself; both grow with the scale.
const testTimeout = 120_000
const fileTimeout = 200_000

/** Puts the repository's own programs first on the path of whatever is started from here. */
export function preferOwnPrograms(): void {
  // Modules compiled by one test file are read back by the next.
  process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/daybook')
  process.env.PATH = `${resolve('node_modules/.bin')}${delimiter}${process.env.PATH}`
}

/** A command run to its end, with all that it printed. */
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

/** What the test files were provided with. */
interface Provided {
  readonly postgresUrl: string | undefined
  stop(): Promise<void>
}

/**
 * Gets what these test files need and the machine may lack: one PostgreSQL server for all, told to them by its
 * address, and a browser; from Debian's packages where that is possible.
 */
export async function provide(files: readonly string[]): Promise<Provided> {
  const browser = files.some((file) => file.startsWith('test/web/')) ? await provideBrowser() : undefined
  const postgres = files.some((file) => /^test\/.*\//.test(file)) ? await providePostgres() : undefined
  return {
    postgresUrl: postgres?.url,
    async stop() {
      await browser?.stop()
      await postgres?.stop()
    },
  }
}

async function provideBrowser(): Promise<{ stop(): Promise<void> } | undefined> {
  if (!chromiumProgram()) await install('Chromium', 'chromium-headless-shell')
  // Older releases of Debian have the whole browser alone.
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

/** Runs one test file in a process of its own; at another scale, it may take so many times as long. */
export async function runFile(file: string, env: NodeJS.ProcessEnv = process.env): Promise<Outcome> {
  const since = performance.now()
  const longer = Math.max(1, Number(env.DAYBOOK_TEST_SCALE ?? 1))
  const signal = AbortSignal.timeout(fileTimeout * longer)
  const events: TestEvent[] = []
  for await (const event of run({ files: [file], isolation: 'process', timeout: testTimeout * longer, signal, env }))
    events.push(event)
  return outcomeOf(file, (performance.now() - since) / 1000, events)
}
