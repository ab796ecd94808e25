/** Told once: whether the work may begin. */
export type Go = (admitted: boolean) => void

// With the work itself an answer then comes well within the four seconds after which nobody waits for it.
const longestWait = 1_000
/** Whoever has waited for so long, whatever was expected, is not begun any more. */
const tooLate = 2_000
/** How much the last turn counts in what turns take. */
const freshness = 1 / 8
// A turn that took longer says more of what else the machine does, or of a start, than of the turns to come.
const longestTurn = 25

/**
 * Lets work begin piece by piece: one a turn of the event loop while more waits, so that what arrives meanwhile, a
 * health check among it, is seen within one piece's time. Whoever would wait too long, as turns have gone of late, is
 * told so at once.
 */
export class Turns {
  readonly #waiting: { readonly go: Go; readonly since: number }[] = []
  #taken = false
  #beganAt = 0
  /** Milliseconds that a turn takes, of late. */
  #pace = 0

  /** Tells when the turn has come, at once if nobody waits; false when it would be too long in coming. */
  enter(go: Go): void {
    if (this.#taken) {
      this.#waiting.push({ go, since: performance.now() })
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
    const now = performance.now()
    const took = Math.min(longestTurn, now - this.#beganAt)
    this.#pace += (took - this.#pace) * (this.#pace === 0 ? 1 : freshness)
    this.#turnAway()
    let next = this.#waiting.shift()
    for (; next && now - next.since > tooLate; next = this.#waiting.shift()) next.go(false)
    this.#taken = next !== undefined
    if (next) this.#begin(next.go)
  }

  // The last to come go first: those before them have the better prospects.
  #turnAway(): void {
    while (this.#waiting.length > 1 && this.#waiting.length * this.#pace > longestWait) this.#waiting.pop()?.go(false)
  }
}
