/** Told once: whether the work may begin. */
export type Go = (admitted: boolean) => void

// Whoever waited longer has most likely gone; what is admitted has two more seconds before anyone gives it up.
const longestWait = 2_000
// Milliseconds for which one turn of the event loop may begin work: short pieces share a look at the network.
const longestTurn = 1

/**
 * Lets work begin in the order in which it came, for a millisecond a turn of the event loop, so that what arrives
 * meanwhile, a health check among it, is seen within that time or one piece's. See decisions/0044.
 */
export class Turns {
  readonly #waiting: { readonly go: Go; readonly since: number }[] = []
  #taken = false
  #over = false
  #until = 0

  /** Tells when the turn has come, at once if nobody waits; false when it took too long to come. */
  enter(go: Go): void {
    const now = performance.now()
    if (this.#taken) {
      this.#waiting.push({ go, since: now })
      setImmediate(this.#next)
    } else {
      this.#taken = true
      this.#until = now + longestTurn
      setImmediate(this.#free)
      go(true)
    }
  }

  readonly #free = (): void => {
    this.#taken = this.#waiting.length > 0
  }

  // One call for each that waits: between two of a turn, Node does all that the first has set off in promises.
  readonly #next = (): void => {
    const now = performance.now()
    if (now >= this.#until && !this.#over) {
      this.#over = true
      setImmediate(this.#renew)
    }
    if (this.#over) {
      setImmediate(this.#next)
      return
    }
    const next = this.#waiting.shift()
    this.#free()
    next?.go(now - next.since < longestWait)
  }

  readonly #renew = (): void => {
    this.#over = false
    this.#until = performance.now() + longestTurn
  }
}
