import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** Where Chromium is installed: in `DAYBOOK_TEST_CHROMIUM`, or by one of its names in the path. */
export function chromiumProgram(): string | undefined {
  const given = process.env.DAYBOOK_TEST_CHROMIUM
  const folders = (process.env.PATH ?? '').split(delimiter)
  const places = folders.flatMap((folder) => names.map((name) => join(folder, name)))
  return [...(given ? [given] : []), ...places].find(canRun)
}

/** A browser with no profile, that asks nobody for anything by itself. `hosts` resolve to this machine. */
export function startChromium(program: string, hosts: readonly string[] = []): Promise<Browser> {
  const quiet = ['quic', 'background-networking', 'component-update', 'sync'].map((one) => `--disable-${one}`)
  const rules = hosts.map((host) => `MAP ${host} 127.0.0.1`).join(',')
  const mapped = rules === '' ? [] : [`--host-resolver-rules=${rules}`]
  return chromium.launch({
    executablePath: program,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', ...quiet, ...mapped],
  })
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
