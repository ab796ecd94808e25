/** Told once: whether the work may begin. */
export type Go = (admitted: boolean) => void

// Whoever waited longer has most likely gone; what is admitted has two more seconds before anyone gives it up.
const longestWait = 2_000

/**
 * Lets work begin piece by piece: one a turn of the event loop while more waits, so that what arrives meanwhile, a
 * health check among it, is seen within one piece's time.
 */
export class Turns {
  readonly #waiting: { readonly go: Go; readonly since: number }[] = []
  #taken = false

  /** Tells when the turn has come, at once if nobody waits; false when it took too long to come. */
  enter(go: Go): void {
    if (this.#taken) {
      this.#waiting.push({ go, since: performance.now() })
    } else {
      this.#taken = true
      setImmediate(this.#next)
      go(true)
    }
  }

  readonly #next = (): void => {
    const next = this.#waiting.shift()
    this.#taken = next !== undefined
    if (!next) return
    setImmediate(this.#next)
    next.go(performance.now() - next.since < longestWait)
  }
}
