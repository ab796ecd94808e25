/** The limits of a work queue. */
export interface QueueLimits {
  /** The maximum number of tasks that run at once. */
  readonly concurrency: number
  /** The number of waiting tasks at which the queue counts as full. */
  readonly maxWaiting: number
}

/** Runs tasks in the order they arrive, a bounded number at once. */
export class WorkQueue {
  readonly #limits: QueueLimits
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  /** Whether the queue is full, so that callers should refuse work instead of adding another task. */
  get isFull(): boolean {
    return this.#waiting.length >= this.#limits.maxWaiting
  }

  /**
   * Runs a task once fewer than `concurrency` tasks are running; settles like the task. The method does not check
   * `isFull`.
   */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#limits.concurrency) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#running++
    try {
      return await task()
    } finally {
      // The next waiting task takes the place of the finished one without a change of `#running`, so that a task that
      // arrives in between cannot take the place too.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}
