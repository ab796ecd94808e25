import type { Page } from 'playwright-core'

interface Point {
  readonly x: number
  readonly y: number
}

/** Simulates one finger on the screen of a page. */
export async function fingerOn(page: Page) {
  const device = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel', touchPoints: Point[]) =>
    device.send('Input.dispatchTouchEvent', { type, touchPoints })
  return {
    down: (at: Point) => touch('touchStart', [at]),
    to: (at: Point) => touch('touchMove', [at]),
    up: () => touch('touchEnd', []),
    cancel: () => touch('touchCancel', []),
  }
}
