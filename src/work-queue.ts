/** The limits of a work queue. */
export interface QueueLimits {
  /** The number of tasks that run at once. */
  readonly concurrency: number
  /** The number of tasks that may wait. */
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

  /** Runs the task when fewer than `concurrency` tasks are running; settles with the result of the task. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#limits.concurrency) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#running++
    try {
      return await task()
    } finally {
      // The next task takes over this task's permit, which is not released in between.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}
