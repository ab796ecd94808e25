import { type Openings, openingsWithin } from '../../scheduling/listing/openings.ts'
import type { SlotSource } from '../../scheduling/listing/slot-source.ts'
import { dayLength } from '../../scheduling/listing/validity.ts'
import { contains, type Interval, intersection } from '../../scheduling/time/interval.ts'
import type { CacheEntry, ClockCache } from './clock-cache.ts'
import type { DayRange } from './question.ts'

/** A day of UTC: what each slot source ever has open on it, where that is known. */
interface DayOpenings extends CacheEntry {
  readonly slotSources: (Openings | undefined)[]
  /** The stretch in which no hold begins or ends to count on it. */
  validity: Interval
  /** How many of the slot sources are not known. */
  lacking: number
}

/** Some days of UTC in a row. */
export interface DayRun {
  readonly firstDay: number
  readonly days: number
}

/** Some days of one slot source, by its place among the slot sources, in a row. */
export interface SourceRun extends DayRun {
  readonly slotSource: number
}

// Measured: the openings of a day with seven starts.
const bytesPerSource = 320
const bytesADay = 200

const always: Interval = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY }

/** What the slot sources of one question have open, day by day: when one provider is booked, the others' is still known. */
export class CachedOpenings {
  readonly #cache: ClockCache
  readonly #slotSources: readonly SlotSource[]
  readonly #lanesOf = new Map<number, number[]>()
  readonly #days = new Map<number, DayOpenings>()
  readonly #emptied: () => void

  /** `emptied` is called whenever the last day that was kept is not any more. */
  constructor(cache: ClockCache, slotSources: readonly SlotSource[], emptied: () => void) {
    this.#cache = cache
    this.#slotSources = slotSources
    this.#emptied = emptied
    for (const [index, { eligible }] of slotSources.entries())
      for (const id of eligible) this.#lanesOf.set(id, [...(this.#lanesOf.get(id) ?? []), index])
  }

  /** Whether nothing is kept. */
  get empty(): boolean {
    return this.#days.size === 0
  }

  /** Forgets some days, of the slot sources that take one provider's time or of all. */
  forget({ first, last }: DayRange, providerId?: number): void {
    const slotSources = providerId === undefined ? undefined : (this.#lanesOf.get(providerId) ?? [])
    for (const [number, day] of this.#days) {
      if (number < first || number > last) continue
      if (!slotSources) this.#cache.forget(day)
      else for (const slotSource of slotSources) put(day, slotSource, undefined)
    }
  }

  /** What is not known of a run of days at this moment. */
  missing({ firstDay, days }: DayRun, now: number): readonly SourceRun[] {
    const runs: { slotSource: number; firstDay: number; days: number }[] = []
    const lastOf = new Map<number, { slotSource: number; firstDay: number; days: number }>()
    for (let number = firstDay; number < firstDay + days; number += 1) {
      const day = this.#dayOf(number, now)
      if (day.lacking === 0) continue
      for (const [slotSource, known] of day.slotSources.entries()) {
        if (known) continue
        const last = lastOf.get(slotSource)
        if (last && last.firstDay + last.days === number) last.days += 1
        else {
          const run = { slotSource, firstDay: number, days: 1 }
          runs.push(run)
          lastOf.set(slotSource, run)
        }
      }
    }
    return runs
  }

  /** Keeps what a slot source ever has open in a run of days, for as long as the stretch says. */
  keep({ slotSource, firstDay, days }: SourceRun, openings: Openings, validity: Interval): void {
    for (let number = firstDay; number < firstDay + days; number += 1) {
      const day = this.#days.get(number) ?? this.#add(number)
      const within = { start: number * dayLength, end: (number + 1) * dayLength }
      put(day, slotSource, days === 1 ? openings : openingsWithin(openings, within))
      day.validity = intersection(day.validity, validity)
    }
  }

  /** What the slot sources ever have open on a day, and the stretch in which no hold changes it. */
  on(number: number): Pick<DayOpenings, 'slotSources' | 'validity'> {
    return this.#days.get(number) ?? this.#add(number)
  }

  /** A day as it is known at this moment. */
  #dayOf(number: number, now: number): DayOpenings {
    const known = this.#days.get(number)
    if (known && contains(known.validity, now)) {
      known.used = true
      return known
    }
    if (known) this.#cache.forget(known)
    return this.#add(number)
  }

  #add(number: number): DayOpenings {
    const day: DayOpenings = {
      slotSources: new Array(this.#slotSources.length).fill(undefined),
      validity: always,
      lacking: this.#slotSources.length,
      size: bytesADay + this.#slotSources.length * bytesPerSource,
      used: true,
      forgotten: () => {
        this.#days.delete(number)
        if (this.#days.size === 0) this.#emptied()
      },
    }
    this.#days.set(number, day)
    this.#cache.keep(day)
    return day
  }
}

function put(day: DayOpenings, slotSource: number, openings: Openings | undefined): void {
  if (day.slotSources[slotSource]) day.lacking += 1
  if (openings) day.lacking -= 1
  day.slotSources[slotSource] = openings
}
