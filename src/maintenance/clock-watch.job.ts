import { maxDrift, measureDrift } from '../db/clock/clock-drift.ts'
import type { Log } from '../db/perform/app.ts'
import type { Daybook } from '../operations.ts'

// A node that is apart looks at every turn, so that it serves again soon after its clock was set.
const turnsBetweenLooks = 12

/**
 * Compares this machine's clock with the database's. Several nodes share that database: one whose clock is wrong would
 * judge lead times, slot ids and tokens otherwise than the rest. See decisions/0026.
 */
export class ClockWatch {
  /** How long to wait between two turns. */
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

  /** Seconds apart at the last look; undefined before the first. */
  get drift(): number | undefined {
    return this.#drift
  }

  /** Whether the last look found the clocks at one. */
  get agrees(): boolean {
    return this.#drift !== undefined && this.#drift <= maxDrift
  }

  /** Looks, if it is time to: once a minute, at every turn while the clocks are apart. */
  async turn(): Promise<void> {
    const due = !this.agrees || this.#turn >= turnsBetweenLooks
    this.#turn = due ? 1 : this.#turn + 1
    if (!due) return
    const before = this.#drift === undefined || this.agrees
    this.#drift = await measureDrift(this.#db, this.#clock)
    if (before === this.agrees) return
    const fields = { milliseconds: Math.round(this.#drift * 1000) }
    if (this.agrees) this.#log.info(fields, 'the clock is at one with the database’s again')
    else this.#log.error(fields, 'the clock is apart from the database’s: set both by a time server')
  }
}
