import type { Page } from 'playwright-core'

interface Point {
  readonly x: number
  readonly y: number
}

/** Simulates the touches of one finger on the screen of a page through Chromium's DevTools protocol. */
export async function openTouchscreen(page: Page) {
  const device = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel', touchPoints: Point[]) =>
    device.send('Input.dispatchTouchEvent', { type, touchPoints })
  const down = (at: Point) => touch('touchStart', [at])
  const to = (at: Point) => touch('touchMove', [at])
  const cancel = () => touch('touchCancel', [])
  /**
   * Puts the finger down and moves the finger along the path; returns the milliseconds between the touch and its first
   * movement as the page measures them.
   */
  const attempt = async (from: Point, path: readonly Point[]): Promise<number> => {
    const times = page.evaluate<readonly [number, number]>(`new Promise((seen) => {
      const times = []
      const note = () => {
        if (times.push(performance.now()) === 2) seen(times)
      }
      addEventListener('touchstart', note, { once: true, capture: true })
      addEventListener('touchmove', note, { once: true, capture: true })
    })`)
    await page.evaluate('0')
    await Promise.all([down(from), ...path.map(to)])
    const [touched, moved] = await times
    return moved - touched
  }
  return {
    ...{ down, to, cancel },
    up: () => touch('touchEnd', []),
    /**
     * Moves the finger quickly along a path without lifting it. On a machine that stalls, the touch may count as a long
     * press; that attempt is cancelled and repeated.
     */
    async swipe(from: Point, path: readonly Point[]): Promise<void> {
      while ((await attempt(from, path)) > longest) await cancel()
    },
  }
}

/**
 * The longest time from the touch to its first movement, in milliseconds, at which a swipe is not repeated. The panel
 * takes a touch of 400 ms without movement as a long press.
 */
const longest = 300
