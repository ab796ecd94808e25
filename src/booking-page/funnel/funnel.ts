/** A step of a booking: a visitor saw the times of a service, chose one, sent the form, booked. */
export type FunnelStep = 'viewed' | 'chose_time' | 'started_form' | 'booked'

/** How often a step was taken on one day, for one service and from one source; says nothing about a visitor. */
export interface StepCount {
  /** The date in the site's zone. */
  readonly day: string
  readonly serviceId: string
  readonly step: FunnelStep
  /** The campaign's source or the linking site; empty when there is none. */
  readonly source: string
  readonly count: number
}

// Sources come from addresses that anybody can make up.
const maxSources = 200
const rest = '…'

/** Counts steps in memory until they are stored. */
export class Funnel {
  #counts = new Map<string, StepCount>()
  #sources = new Set<string>()
  #day = ''

  /** Counts one step. */
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

  /** Returns the counts since the last call and starts again from zero. */
  take(): readonly StepCount[] {
    const taken = [...this.#counts.values()]
    this.#counts = new Map()
    return taken
  }

  /** Adds counts again that could not be stored. */
  restore(counts: readonly StepCount[]): void {
    for (const one of counts) {
      const key = JSON.stringify([one.day, one.serviceId, one.step, one.source])
      this.#counts.set(key, { ...one, count: one.count + (this.#counts.get(key)?.count ?? 0) })
    }
  }
}
