import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { assertAccessible } from './panel.ts'

/**
 * Returns the reservation in the panel's calendar whose text contains a start, a customer and optionally further
 * text.
 */
export function card(page: Page, time: string, customer: string, rest = ''): Locator {
  return page.locator('[data-card]').filter({ hasText: time }).filter({ hasText: customer }).filter({ hasText: rest })
}

/** Clicks into a column of the panel's calendar, 4 pixels below the line of an hour. */
export async function click(
  page: Page,
  column: number,
  hour: number,
  button: 'left' | 'right' = 'left',
): Promise<void> {
  const { x, y, width } = await boxOf(page.locator(`[data-column="${column}"]`))
  await page.mouse.click(x + width / 2, y + (await hourOffset(page, hour)) + 4, { button })
}

/** Returns the distance in pixels from the top of the calendar's columns to the line of an hour. */
export async function hourOffset(page: Page, hour: number): Promise<number> {
  const style = 'getComputedStyle(document.querySelector("[data-column]").parentElement)'
  const at = async (name: string) =>
    Number.parseFloat(String(await page.evaluate(`${style}.getPropertyValue('${name}')`)))
  return (hour * 60 - (await at('--first'))) * (await at('--minute'))
}

/** Returns the position and size of an element in pixels; fails when the element is not visible. */
export async function boxOf(what: Locator) {
  const box = await what.boundingBox()
  assert.ok(box)
  return box
}

/** Fails unless `assertAccessible` accepts the page while the mouse pointer is in its top left corner. */
export async function assertAccessibleWithoutHover(page: Page, what: string): Promise<void> {
  await page.mouse.move(0, 0)
  await assertAccessible(page, what)
}
