import { afterEach, type SuiteContext, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'

const maxLines = 60
/** The milliseconds for which a page may take to answer; a page that hangs is reported as such. */
const timeout = 10_000

const openPages = new Map<Page, string[]>()

/**
 * Records what an open page logs and which of its requests fail. When a test fails, prints this and an accessibility
 * snapshot of each page that is open then.
 */
export function reportOnFailure(page: Page): void {
  const entries: string[] = []
  const since = performance.now()
  const add = (text: string): void => {
    entries.push(`${((performance.now() - since) / 1000).toFixed(1)} s  ${text}`)
  }
  page.on('console', (message) => add(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => add(`uncaught: ${error.stack ?? error.message}`))
  page.on('crash', () => add('the page crashed'))
  page.on('framenavigated', (frame) => add(`navigated to ${frame.url()}`))
  page.on('response', (response) => {
    if (response.status() >= 400) add(`${response.status()} ${response.request().method()} ${response.url()}`)
  })
  page.on('requestfailed', (request) => add(`${request.failure()?.errorText} ${request.method()} ${request.url()}`))
  page.on('close', () => openPages.delete(page))
  openPages.set(page, entries)
}

// This hook runs before the functions that tests register with `after`, which close the pages. Outside of the test
// runner, as in a benchmark, it would print the result of a test run.
if (process.env.NODE_TEST_CONTEXT !== undefined) afterEach(printOpenPages)

async function printOpenPages(context: TestContext | SuiteContext): Promise<void> {
  if (!('passed' in context) || context.passed) return
  for (const [page, entries] of openPages) {
    const shown = await page
      .locator('body')
      .ariaSnapshot({ timeout })
      .catch((error: unknown) => String(error))
    console.log(
      [`${page.url()} when "${context.name}" failed:`, shown, 'Its log:', ...entries.slice(-maxLines)].join('\n'),
    )
  }
}
