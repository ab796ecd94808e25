import type { Locator, Page } from 'playwright-core'

// Seconds by the keystroke-level model (Card, Moran and Newell 1980; Kieras 2001): for a key of an average typist, for
// pointing at something with a mouse and clicking, and for thinking before each unit of the task. A finger points
// faster than a mouse (0.43 s to point and 0.31 s to tap in the fingerstroke-level model of Lee et al. 2015, here
// rounded up).
const keySeconds = 0.28
const clickSeconds = 1.3
const tapSeconds = 0.8
const decisionSeconds = 1.2

/** The keys, clicks or taps, and decisions that one task took. */
export interface Effort {
  readonly keys: number
  readonly clicks: number
  readonly decisions: number
  /** The time that the keystroke-level model predicts for the task, in seconds. */
  readonly seconds: number
}

/** The input of a user at a page of the panel, counted as keys, clicks and decisions. */
export class CountedInput {
  readonly #page: Page
  readonly #pointSeconds: number
  #keys = 0
  #clicks = 0
  #decisions = 0

  constructor(page: Page, touches: boolean) {
    this.#page = page
    this.#pointSeconds = touches ? tapSeconds : clickSeconds
  }

  /** Counts one decision: a user thinks before the next step of the task (see `decisionSeconds`). */
  countDecision(): void {
    this.#decisions += 1
  }

  /** Presses keys or combinations such as `Control+k` one after the other, and counts every key. */
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      this.#keys += key.split('+').length
      await this.#page.keyboard.press(key)
    }
  }

  /** Types a text into the focused field, and counts each character as a key. */
  async type(text: string): Promise<void> {
    this.#keys += text.length
    await this.#page.keyboard.type(text)
  }

  /** Clicks an element, and counts a click, or a tap where the page has a touch screen. */
  async click(at: Locator): Promise<void> {
    this.#clicks += 1
    await at.click()
  }

  /**
   * Counts one click or tap for the swipe with which a user would scroll to an element. The test itself does not swipe,
   * because Playwright scrolls to an element before clicking.
   */
  countSwipe(): void {
    this.#clicks += 1
  }

  /** Returns the effort since the last call of `effort`, and starts counting from zero. */
  effort(): Effort {
    const [keys, clicks, decisions] = [this.#keys, this.#clicks, this.#decisions]
    this.#keys = 0
    this.#clicks = 0
    this.#decisions = 0
    const seconds = keys * keySeconds + clicks * this.#pointSeconds + decisions * decisionSeconds
    return { keys, clicks, decisions, seconds: Math.round(seconds * 10) / 10 }
  }
}
