import { dayLength } from '../../scheduling/listing/validity.ts'
import { type Lane, type Openings, openingsWithin } from '../../scheduling/slots.ts'
import { contains, type Interval, intersection } from '../../scheduling/time/interval.ts'
import type { CacheEntry, ClockCache } from './clock-cache.ts'
import type { DayRange } from './question.ts'

/** A day of UTC: what each lane ever has open on it, where that is known. */
interface DayOpenings extends CacheEntry {
  readonly lanes: (Openings | undefined)[]
  /** The stretch in which no hold begins or ends to count on it. */
  steady: Interval
  /** How many of the lanes are not known. */
  lacking: number
}

/** Some days of UTC in a row. */
export interface DayRun {
  readonly firstDay: number
  readonly days: number
}

/** Some days of one lane, by its place among the lanes, in a row. */
export interface SourceRun extends DayRun {
  readonly lane: number
}

// Measured: the openings of a day with seven starts.
const bytesALane = 320
const bytesADay = 200

const always: Interval = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY }

/** What the lanes of one question have open, day by day: when one provider is booked, the others' is still known. */
export class CachedOpenings {
  readonly #shelf: ClockCache
  readonly #lanes: readonly Lane[]
  readonly #lanesOf = new Map<number, number[]>()
  readonly #days = new Map<number, DayOpenings>()
  readonly #emptied: () => void

  /** `emptied` is called whenever the last day that was kept is not any more. */
  constructor(shelf: ClockCache, lanes: readonly Lane[], emptied: () => void) {
    this.#shelf = shelf
    this.#lanes = lanes
    this.#emptied = emptied
    for (const [index, { eligible }] of lanes.entries())
      for (const id of eligible) this.#lanesOf.set(id, [...(this.#lanesOf.get(id) ?? []), index])
  }

  /** Whether nothing is kept. */
  get empty(): boolean {
    return this.#days.size === 0
  }

  /** Forgets some days, of the lanes that take one provider's time or of all. */
  forget({ first, last }: DayRange, providerId?: number): void {
    const lanes = providerId === undefined ? undefined : (this.#lanesOf.get(providerId) ?? [])
    for (const [number, day] of this.#days) {
      if (number < first || number > last) continue
      if (!lanes) this.#shelf.forget(day)
      else for (const lane of lanes) put(day, lane, undefined)
    }
  }

  /** What is not known of a run of days at this moment. */
  missing({ firstDay, days }: DayRun, now: number): readonly SourceRun[] {
    const runs: { lane: number; firstDay: number; days: number }[] = []
    const lastOf = new Map<number, { lane: number; firstDay: number; days: number }>()
    for (let number = firstDay; number < firstDay + days; number += 1) {
      const day = this.#dayOf(number, now)
      if (day.lacking === 0) continue
      for (const [lane, known] of day.lanes.entries()) {
        if (known) continue
        const last = lastOf.get(lane)
        if (last && last.firstDay + last.days === number) last.days += 1
        else {
          const run = { lane, firstDay: number, days: 1 }
          runs.push(run)
          lastOf.set(lane, run)
        }
      }
    }
    return runs
  }

  /** Keeps what a lane ever has open in a run of days, for as long as the stretch says. */
  keep({ lane, firstDay, days }: SourceRun, openings: Openings, steady: Interval): void {
    for (let number = firstDay; number < firstDay + days; number += 1) {
      const day = this.#days.get(number) ?? this.#add(number)
      const within = { start: number * dayLength, end: (number + 1) * dayLength }
      put(day, lane, days === 1 ? openings : openingsWithin(openings, within))
      day.steady = intersection(day.steady, steady)
    }
  }

  /** What the lanes ever have open on a day, and the stretch in which no hold changes it. */
  on(number: number): Pick<DayOpenings, 'lanes' | 'steady'> {
    return this.#days.get(number) ?? this.#add(number)
  }

  /** A day as it is known at this moment. */
  #dayOf(number: number, now: number): DayOpenings {
    const known = this.#days.get(number)
    if (known && contains(known.steady, now)) {
      known.used = true
      return known
    }
    if (known) this.#shelf.forget(known)
    return this.#add(number)
  }

  #add(number: number): DayOpenings {
    const day: DayOpenings = {
      lanes: new Array(this.#lanes.length).fill(undefined),
      steady: always,
      lacking: this.#lanes.length,
      size: bytesADay + this.#lanes.length * bytesALane,
      used: true,
      forgotten: () => {
        this.#days.delete(number)
        if (this.#days.size === 0) this.#emptied()
      },
    }
    this.#days.set(number, day)
    this.#shelf.keep(day)
    return day
  }
}

function put(day: DayOpenings, lane: number, openings: Openings | undefined): void {
  if (day.lanes[lane]) day.lacking += 1
  if (openings) day.lacking -= 1
  day.lanes[lane] = openings
}
