/** The time limits of waiting for a permit. */
export interface WaitLimit {
  /** Milliseconds without a released permit after which waiting ends, since the holders then appear to be stuck. */
  readonly stuck: number
  /** Milliseconds after which waiting for a permit ends even if permits are being released. */
  readonly most: number
}

type Waiting = (taken: boolean) => void

/** A counting semaphore with a FIFO queue. */
export class Semaphore {
  #free: number
  #lastGiven = performance.now()
  readonly #waiting = new Set<Waiting>()
  readonly #count: number

  constructor(count: number) {
    this.#free = count
    this.#count = count
  }

  /** The number of permits in use, plus the callers that wait for one. */
  get wanted(): number {
    return this.#count - this.#free + this.#waiting.size
  }

  /**
   * Waits for a permit; resolves to true with a permit, or to false when one of the limits in `patience` has passed.
   * Waits without a limit when `patience` is absent.
   */
  acquire(patience?: WaitLimit): Promise<boolean> {
    if (this.#free > 0) {
      this.#free -= 1
      return Promise.resolve(true)
    }
    return new Promise((resolve) => {
      this.#waiting.add(resolve)
      if (patience) this.#watch(resolve, patience, performance.now())
    })
  }

  release(): void {
    this.#lastGiven = performance.now()
    const [next] = this.#waiting
    if (!next) {
      this.#free += 1
      return
    }
    this.#waiting.delete(next)
    next(true)
  }

  #watch(waiting: Waiting, patience: WaitLimit, since: number): void {
    const { stuck, most } = patience
    const left = Math.min(Math.max(since, this.#lastGiven) + stuck, since + most) - performance.now()
    setTimeout(() => {
      if (!this.#waiting.has(waiting)) return
      const now = performance.now()
      if (now - Math.max(since, this.#lastGiven) < stuck && now - since < most) {
        this.#watch(waiting, patience, since)
        return
      }
      this.#waiting.delete(waiting)
      waiting(false)
    }, Math.ceil(left)).unref()
  }
}
