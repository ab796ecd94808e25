import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { assertFit } from './panel.ts'

/** The card of the reservation with this start and customer, by its accessible name. */
export function card(page: Page, time: string, customer: string, rest = ''): Locator {
  return page.locator('[data-card]').filter({ hasText: time }).filter({ hasText: customer }).filter({ hasText: rest })
}

/** Clicks a column just below this hour. */
export async function click(
  page: Page,
  column: number,
  hour: number,
  button: 'left' | 'right' = 'left',
): Promise<void> {
  const { x, y, width } = await boxOf(page.locator(`[data-column="${column}"]`))
  await page.mouse.click(x + width / 2, y + (await below(page, hour)) + 4, { button })
}

/** Returns the distance of an hour from the top of the columns, in pixels. */
export async function below(page: Page, hour: number): Promise<number> {
  const style = 'getComputedStyle(document.querySelector("[data-column]").parentElement)'
  const at = async (name: string) =>
    Number.parseFloat(String(await page.evaluate(`${style}.getPropertyValue('${name}')`)))
  return (hour * 60 - (await at('--first'))) * (await at('--minute'))
}

/** Returns the position and size of an element. */
export async function boxOf(what: Locator) {
  const box = await what.boundingBox()
  assert.ok(box)
  return box
}

/** Fails unless the screen is accessible while the pointer rests on none of its elements. */
export async function fit(page: Page, what: string): Promise<void> {
  await page.mouse.move(0, 0)
  await assertFit(page, what)
}
