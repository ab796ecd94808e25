import type { Locator, Page } from 'playwright-core'

// The keystroke-level model (Card, Moran and Newell 1980): seconds of a key of an average typist, of pointing at
// something with a mouse and clicking, and of thinking before each unit of the task. A finger points faster than a mouse
// (0.43 s to point and 0.31 s to tap in the fingerstroke-level model of Lee et al. 2015).
const keySeconds = 0.28
const clickSeconds = 1.3
const tapSeconds = 0.8
const thoughtSeconds = 1.2

/** What one errand at the desk took. */
export interface Effort {
  readonly keys: number
  readonly points: number
  readonly thoughts: number
  /** Seconds by the keystroke-level model. */
  readonly seconds: number
}

/** A receptionist at a page of the panel, whose keys, clicks and decisions are counted. */
export class Desk {
  readonly #page: Page
  readonly #pointSeconds: number
  #keys = 0
  #points = 0
  #thoughts = 0

  constructor(page: Page, touches: boolean) {
    this.#page = page
    this.#pointSeconds = touches ? tapSeconds : clickSeconds
  }

  /** Thinks about the next unit of the task. */
  think(): void {
    this.#thoughts += 1
  }

  /** Presses keys one after the other. */
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      this.#keys += key.split('+').length
      await this.#page.keyboard.press(key)
    }
  }

  /** Types a text into the focused field. */
  async type(text: string): Promise<void> {
    this.#keys += text.length
    await this.#page.keyboard.type(text)
  }

  /** Clicks something, or taps on it where the page has a touch screen. */
  async point(at: Locator): Promise<void> {
    this.#points += 1
    await at.click()
  }

  /** Counts a movement of the finger that scrolls; the browser of the test scrolls by itself. */
  swipe(): void {
    this.#points += 1
  }

  /** Returns what was done since the last call. */
  effort(): Effort {
    const [keys, points, thoughts] = [this.#keys, this.#points, this.#thoughts]
    this.#keys = 0
    this.#points = 0
    this.#thoughts = 0
    const seconds = keys * keySeconds + points * this.#pointSeconds + thoughts * thoughtSeconds
    return { keys, points, thoughts, seconds: Math.round(seconds * 10) / 10 }
  }
}
