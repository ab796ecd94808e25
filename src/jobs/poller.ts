import type { Log } from '../db/perform/app.ts'

/** A task that runs periodically and soon after it is woken; one run at a time. */
export class Poller {
  readonly #turn: () => Promise<boolean>
  readonly #fault: string
  readonly #log: Log
  readonly #seconds: number
  #timer: NodeJS.Timeout | undefined
  /** When the timer fires. */
  #turnAt = Number.POSITIVE_INFINITY
  #running: Promise<void> = Promise.resolve()
  #started = false

  /** `turn` resolves to whether more can be done at once; a failure is logged as `fault` and repeated later. */
  constructor(options: {
    readonly turn: () => Promise<boolean>
    readonly fault: string
    readonly log: Log
    /** Seconds between two runs; 1 when absent. */
    readonly seconds?: number
  }) {
    this.#turn = options.turn
    this.#fault = options.fault
    this.#log = options.log
    this.#seconds = options.seconds ?? 1
  }

  start(): void {
    this.#started = true
    this.#schedule(0)
  }

  /** Runs the task soon; calls within a few milliseconds share one run. */
  wake(): void {
    if (this.#started) this.#schedule(wakeMilliseconds)
  }

  /** Runs the task no more; resolves after a run in progress. */
  async stop(): Promise<void> {
    this.#started = false
    clearTimeout(this.#timer)
    await this.#running
  }

  #schedule(milliseconds: number): void {
    const at = performance.now() + milliseconds
    if (this.#turnAt <= at) return
    clearTimeout(this.#timer)
    this.#turnAt = at
    this.#timer = setTimeout(() => {
      this.#turnAt = Number.POSITIVE_INFINITY
      this.#running = this.#running.then(() => this.#run())
    }, milliseconds)
  }

  async #run(): Promise<void> {
    const more = await this.#turn().catch((error: unknown) => {
      this.#log.error({ fault: error instanceof Error ? error.message : String(error) }, this.#fault)
      return false
    })
    if (this.#started) this.#schedule(more ? wakeMilliseconds : this.#seconds * 1_000)
  }
}

// Commits of a busy service wake a task together.
const wakeMilliseconds = 20
