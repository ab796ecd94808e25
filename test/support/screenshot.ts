import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { waitForAnimations } from './panel.ts'

/**
 * Waits until animations have ended, and saves a screenshot as `<name>.png` in the folder of `DAYBOOK_TEST_PICTURES`,
 * if that is set.
 */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  await waitForAnimations(page)
  const folder = process.env.DAYBOOK_TEST_PICTURES
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
