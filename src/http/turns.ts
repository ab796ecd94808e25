/** Told once: whether the work may begin. */
export type Go = (admitted: boolean) => void

// With the work itself an answer then comes well within the four seconds after which nobody waits for it.
const longestWait = 1_000
/** How much the last turn counts in what turns take. */
const freshness = 1 / 8

/**
 * Lets work begin piece by piece: one a turn of the event loop while more waits, so that what arrives meanwhile, a
 * health check among it, is seen within one piece's time. Whoever would wait too long, as turns have gone of late, is
 * told so at once.
 */
export class Turns {
  readonly #waiting: Go[] = []
  #taken = false
  #beganAt = 0
  /** Milliseconds that a turn takes, of late. */
  #pace = 0

  /** Tells when the turn has come, at once if nobody waits; false when it would be too long in coming. */
  enter(go: Go): void {
    if (this.#taken) {
      this.#waiting.push(go)
      this.#turnAway()
    } else {
      this.#begin(go)
    }
  }

  #begin(go: Go): void {
    this.#taken = true
    this.#beganAt = performance.now()
    setImmediate(this.#next)
    go(true)
  }

  readonly #next = (): void => {
    const took = performance.now() - this.#beganAt
    this.#pace += (took - this.#pace) * (this.#pace === 0 ? 1 : freshness)
    this.#turnAway()
    const next = this.#waiting.shift()
    this.#taken = next !== undefined
    if (next) this.#begin(next)
  }

  // The last to come go first: those before them have the better prospects.
  #turnAway(): void {
    while (this.#waiting.length > 1 && this.#waiting.length * this.#pace > longestWait) this.#waiting.pop()?.(false)
  }
}
