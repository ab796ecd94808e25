import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { shown } from './panel.ts'

/** Waits until the page has settled, and stores a picture of it in the folder of `DAYBOOK_TEST_PICTURES`, if that is set. */
export async function takePicture(page: Page, name: string): Promise<void> {
  await shown(page)
  const folder = process.env.DAYBOOK_TEST_PICTURES
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
