import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type LaunchOptions,
} from 'playwright-core'

// The names of Chromium programs, in order of preference within a folder of the PATH: `chromium-headless-shell` has no
// user interface and takes a quarter less processor time.
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** Returns the path of a Chromium program from `DAYBOOK_TEST_CHROMIUM` or the PATH; undefined when none can be run. */
export function chromiumProgram(): string | undefined {
  const given = process.env.DAYBOOK_TEST_CHROMIUM
  const folders = (process.env.PATH ?? '').split(delimiter)
  const places = folders.flatMap((folder) => names.map((name) => join(folder, name)))
  return [...(given ? [given] : []), ...places].find(canRun)
}

/**
 * Connects to the browser that the test runner shares between test files, or starts a browser without background
 * requests if there is none. With `hosts`, starts a browser that resolves these host names to 127.0.0.1.
 */
export function startChromium(program: string, hosts: readonly string[] = []): Promise<Browser> {
  const shared = process.env[sharedBrowser]
  if (shared !== undefined && hosts.length === 0) return chromium.connect(shared)
  return chromium.launch(optionsFor(program, [...forShortPages, ...mapped(hosts)]))
}

/**
 * Opens a context of a browser. An operation in it times out only after 60 s, because other tests may slow down the
 * machine.
 */
export async function openContext(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(60_000)
  return context
}

/** Starts a browser for measurements, which compiles scripts as it does for a user. */
export function startOptimizingChromium(program: string): Promise<Browser> {
  return chromium.launch(optionsFor(program, []))
}

/**
 * Starts the browser that test files share, and puts its address into an environment variable where `startChromium`
 * finds it.
 */
export async function shareChromium(program: string): Promise<{ stop(): Promise<void> }> {
  const server = await chromium.launchServer({ ...optionsFor(program, forShortPages), host: '127.0.0.1' })
  process.env[sharedBrowser] = server.wsEndpoint()
  return { stop: () => server.close() }
}

const sharedBrowser = 'DAYBOOK_TEST_BROWSER'

// Pages of tests are open for seconds: the optimizing compilers of V8 would take a fifth of the browser's processor
// time and save less. Pages of one browser context share a process. Its compiled scripts serve the next page, unless
// scripts are parsed while they arrive; and because of the limit, a page does not begin in a process of its own, which
// would end when the page opens the site.
const forShortPages = [
  '--js-flags=--no-maglev --no-turbofan --no-script-streaming',
  '--process-per-site',
  '--renderer-process-limit=1',
]

function mapped(hosts: readonly string[]): string[] {
  return hosts.length === 0 ? [] : [`--host-resolver-rules=${hosts.map((host) => `MAP ${host} 127.0.0.1`).join(',')}`]
}

function optionsFor(executablePath: string, args: readonly string[]): LaunchOptions {
  const quiet = ['quic', 'background-networking', 'component-update', 'sync'].map((one) => `--disable-${one}`)
  return { executablePath, args: ['--no-sandbox', '--disable-gpu', '--no-first-run', ...quiet, ...args] }
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
