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
  const down = (at: Point) => touch('touchStart', [at])
  const to = (at: Point) => touch('touchMove', [at])
  const cancel = () => touch('touchCancel', [])
  /** Returns the milliseconds between the touch and the first movement, as the page sees them. */
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
     * Moves quickly along a path, and leaves the finger down. A machine that stalls between touch and movement makes a
     * long press of it; such an attempt is cancelled and repeated.
     */
    async swipe(from: Point, path: readonly Point[]): Promise<void> {
      while ((await attempt(from, path)) > longest) await cancel()
    },
  }
}

/** Milliseconds of touch without movement that are certainly no long press. */
const longest = 300
