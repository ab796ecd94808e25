import { join } from 'node:path'
import type { Page } from 'playwright-core'

/** Stores a picture of the whole page in the folder of `DAYBOOK_TEST_PICTURES`, if it is set. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env.DAYBOOK_TEST_PICTURES
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
