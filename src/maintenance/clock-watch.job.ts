import { maxDrift, measureDrift } from '../db/clock/clock-drift.ts'
import type { Log } from '../db/perform/app.ts'
import type { Daybook } from '../operations.ts'

// The clock is checked at every 12th call of `turn`. A node with a wrong clock checks it at every call, so that it
// serves again soon after a correction.
const turnsBetweenLooks = 12

/**
 * Compares this machine's clock with the database's. Several nodes can share the database, and a node with a wrong
 * clock would decide differently from the others whether it is too late to book a slot and whether slot ids and tokens
 * have expired. See docs/decisions/0026.
 */
export class ClockWatch {
  /** The interval between two calls of `turn`, in seconds. */
  static readonly seconds = 5

  readonly #db: Daybook['db']
  readonly #log: Log
  readonly #clock: () => number
  #drift: number | undefined
  #turn = 0

  constructor({ db, log, clock }: Pick<Daybook, 'db' | 'log'> & { clock(): number }) {
    this.#db = db
    this.#log = log
    this.#clock = clock
  }

  /** The difference between the clocks in seconds at the last check; undefined before the first check. */
  get drift(): number | undefined {
    return this.#drift
  }

  /** Whether the clocks differed by at most `maxDrift` at the last check; false before the first check. */
  get agrees(): boolean {
    return this.#drift !== undefined && this.#drift <= maxDrift
  }

  /** Checks the clock at every twelfth call (once a minute), or at every call while the clocks disagree. */
  async turn(): Promise<void> {
    const due = !this.agrees || this.#turn >= turnsBetweenLooks
    this.#turn = due ? 1 : this.#turn + 1
    if (!due) return
    const before = this.#drift === undefined || this.agrees
    this.#drift = await measureDrift(this.#db, this.#clock)
    if (before === this.agrees) return
    const fields = { milliseconds: Math.round(this.#drift * 1000) }
    if (this.agrees) this.#log.info(fields, 'clock back in sync with the database')
    else this.#log.error(fields, 'clock out of sync with the database; synchronise both with a time server')
  }
}
