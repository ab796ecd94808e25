/**
 * A step of a booking: opening the page of a service, choosing a time, sending the form with the details, and booking.
 */
export type FunnelStep = 'viewed' | 'chose_time' | 'started_form' | 'booked'

/**
 * The number of times that a step of a booking was taken on one day, for one service and from one source; contains no
 * data about visitors.
 */
export interface StepCount {
  /** The local date on which the step was taken (`YYYY-MM-DD`), in the site's time zone. */
  readonly day: string
  readonly serviceId: string
  readonly step: FunnelStep
  /**
   * The campaign source (`utm_source`) or else the host name of the linking site; empty when neither is known, and `…`
   * for all sources that are counted together.
   */
  readonly source: string
  readonly count: number
}

// The maximum number of sources per day that one thread counts separately, because anyone can invent sources in a URL.
// Further sources are counted together.
const maxSources = 200
const rest = '…'

/** Counts steps of bookings in memory until they are stored. */
export class Funnel {
  #counts = new Map<string, StepCount>()
  #sources = new Set<string>()
  #day = ''

  /** Counts one step of a booking. */
  count({ day, serviceId, step, source }: Omit<StepCount, 'count'>): void {
    if (day !== this.#day) {
      this.#day = day
      this.#sources = new Set()
    }
    if (this.#sources.size < maxSources) this.#sources.add(source)
    const kept = this.#sources.has(source) ? source : rest
    const key = JSON.stringify([day, serviceId, step, kept])
    const count = (this.#counts.get(key)?.count ?? 0) + 1
    this.#counts.set(key, { day, serviceId, step, source: kept, count })
  }

  /** Returns the counts of steps since the last call, and resets them to zero. */
  take(): readonly StepCount[] {
    const taken = [...this.#counts.values()]
    this.#counts = new Map()
    return taken
  }

  /** Adds counts that `take` returned, but that could not be stored, to the current counts. */
  restore(counts: readonly StepCount[]): void {
    for (const one of counts) {
      const key = JSON.stringify([one.day, one.serviceId, one.step, one.source])
      this.#counts.set(key, { ...one, count: one.count + (this.#counts.get(key)?.count ?? 0) })
    }
  }
}
