import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium, type LaunchOptions } from 'playwright-core'

// The first is the same engine without windows and tabs, which takes a quarter less processor time.
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** Returns the path of Chromium: from `DAYBOOK_TEST_CHROMIUM`, or by one of its names in the PATH. */
export function chromiumProgram(): string | undefined {
  const given = process.env.DAYBOOK_TEST_CHROMIUM
  const folders = (process.env.PATH ?? '').split(delimiter)
  const places = folders.flatMap((folder) => names.map((name) => join(folder, name)))
  return [...(given ? [given] : []), ...places].find(canRun)
}

/**
 * Starts a browser without a profile and without background requests: the shared one of the test command where it runs
 * one, with a separate context per page. With `hosts`, which then resolve to this machine, a separate browser.
 */
export function startChromium(program: string, hosts: readonly string[] = []): Promise<Browser> {
  const shared = process.env[sharedBrowser]
  if (shared !== undefined && hosts.length === 0) return chromium.connect(shared)
  return chromium.launch(optionsFor(program, hosts))
}

/** Starts the browser that test files share; they find it through the environment. */
export async function shareChromium(program: string): Promise<{ stop(): Promise<void> }> {
  const server = await chromium.launchServer({ ...optionsFor(program, []), host: '127.0.0.1' })
  process.env[sharedBrowser] = server.wsEndpoint()
  return { stop: () => server.close() }
}

const sharedBrowser = 'DAYBOOK_TEST_BROWSER'

function optionsFor(executablePath: string, hosts: readonly string[]): LaunchOptions {
  const quiet = ['quic', 'background-networking', 'component-update', 'sync'].map((one) => `--disable-${one}`)
  const rules = hosts.map((host) => `MAP ${host} 127.0.0.1`).join(',')
  const mapped = rules === '' ? [] : [`--host-resolver-rules=${rules}`]
  return { executablePath, args: ['--no-sandbox', '--disable-gpu', '--no-first-run', ...quiet, ...mapped] }
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
