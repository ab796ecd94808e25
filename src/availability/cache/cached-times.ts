import type { Catalogue } from '../../catalogue/catalogue.ts'
import type { Provider } from '../../catalogue/providers/provider.ts'
import type { Service } from '../../catalogue/services/service.ts'
import type { Database } from '../../db/database.ts'
import type { Invalidation } from '../../scheduling/invalidation.ts'
import { dayLength, utcDayOf } from '../../scheduling/listing/validity.ts'
import {
  type Blocked,
  type BlockedTimes,
  bytesPerTimeRow,
  noTimes,
  type Occupied,
  type TakenTimes,
  TimeColumns,
  type TimeRows,
} from '../../scheduling/plan/occupancy.ts'
import type { Assigned, Booked, Plan } from '../../scheduling/plan/plan.ts'
import { providerIdOf, providerResource, type ResourceName } from '../../scheduling/plan/resource.ts'
import type { Interval } from '../../scheduling/time/interval.ts'
import { type HeldSeat, loadTimes, type ProviderTimesRows } from '../times.sql.ts'
import type { CacheEntry, ClockCache } from './clock-cache.ts'

/** What lies in one provider's time on one day of UTC: what overlaps it, and reservations that start in it. */
interface DayTimes extends CacheEntry {
  /** For good. */
  readonly taken: TakenTimes
  /** Seats that are held for a while. */
  readonly holds: readonly HeldSeat[]
  readonly blocked: BlockedTimes
  readonly booked: readonly Booked[]
}

/** The same before it is kept. */
interface DayRows {
  readonly held: HeldSeat[]
  readonly blocked: Blocked[]
  readonly booked: Booked[]
}

/** A day as a part of some days in a row. */
interface DayPart {
  readonly day: DayTimes
  /** When it begins; what began before is in the day before, if there is one. */
  readonly start: number
}

/** What a plan is put together for. */
export interface TimesRequest {
  readonly catalogue: Catalogue
  readonly services: readonly Service[]
  /** Whose times count. */
  readonly providers: readonly Provider[]
  readonly occupied: Interval
  readonly booked: Interval
  readonly now: number
  readonly bucket: number
  readonly assigned: ReadonlyMap<string, Assigned>
}

// Measured: a reservation or a hold, and a text that names a slot.
const bytesABooked = 240
const bytesASlot = 72
const bytesADay = 400

/** The providers' times of the days that were asked for, as committed; what is touched is read again. */
export class CachedTimes {
  readonly #cache: ClockCache
  readonly #days = new Map<number, Map<number, DayTimes>>()
  readonly #taken = new Blocks<string>()
  readonly #blocked = new Blocks<Blocked['source']>()

  constructor(cache: ClockCache) {
    this.#cache = cache
  }

  /** Forgets what is no longer so. */
  invalidate(invalidated: readonly Invalidation[]): void {
    for (const one of invalidated) {
      if (one.kind === 'time') this.#forget(providerIdOf(one.resource), one)
      else if (one.kind === 'booked') this.#forget(one.providerId, { start: one.start, end: one.start + 1 })
      else if (one.kind === 'everything')
        for (const days of this.#days.values()) for (const day of days.values()) this.#cache.forget(day)
    }
  }

  /** Reads what is missing of the providers' times; ask for the plan before anything else can happen. */
  async load(db: Database, providers: readonly Provider[], stretch: Interval): Promise<void> {
    const first = utcDayOf(stretch.start)
    const last = utcDayOf(stretch.end - 1)
    const missing: number[] = []
    let [from, until] = [last + 1, first]
    for (const { id } of providers) {
      const days = this.#days.get(id)
      let lacks = false
      for (let day = first; day <= last; day += 1)
        if (!days?.has(day)) {
          lacks = true
          from = Math.min(from, day)
          until = Math.max(until, day + 1)
        }
      if (lacks) missing.push(id)
    }
    if (missing.length === 0) return
    this.#keep(
      missing,
      { from, until },
      await loadTimes(db, missing, { start: from * dayLength, end: until * dayLength }),
    )
  }

  /** The plan of what was loaded, and the stretch around `now` in which no hold in it begins or ends to count. */
  plan(wish: TimesRequest): { readonly plan: Plan; readonly validity: Interval } {
    const { catalogue, services, providers, now } = wish
    const days = new Map(providers.map(({ id }) => [id, this.#daysOf(id, wish.occupied)]))
    const occupied = joined(days, (day) => day.taken)
    const validity = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY }
    for (const [id, parts] of days) {
      const holds = holdsOf(parts, now, validity)
      if (holds.length > 0)
        occupied.set(providerResource(id), withHolds(occupied.get(providerResource(id)) ?? noTimes, holds))
    }
    const booked: Booked[] = []
    for (const { id } of providers)
      for (const { day } of this.#daysOf(id, wish.booked)) for (const one of day.booked) booked.push(one)
    const plan = {
      holidays: catalogue.site.holidays,
      listFullSlots: catalogue.site.policies.listFullSlots,
      services,
      providers: catalogue.providers,
      occupied,
      blocked: joined(days, (day) => day.blocked),
      booked,
      assigned: wish.assigned,
      bucket: wish.bucket,
    }
    return { plan, validity }
  }

  /** A provider's days that share an instant with the stretch. */
  #daysOf(id: number, { start, end }: Interval): readonly DayPart[] {
    const days = this.#days.get(id)
    const found: DayPart[] = []
    for (let number = utcDayOf(start); number <= utcDayOf(end - 1); number += 1) {
      const day = days?.get(number)
      // Never guess: what was loaded is there until somebody else has his turn.
      if (!day) throw new Error(`Day ${number} of provider ${id} was not loaded.`)
      day.used = true
      found.push({ day, start: number * dayLength })
    }
    return found
  }

  #keep(
    providers: readonly number[],
    { from, until }: { from: number; until: number },
    times: ProviderTimesRows,
  ): void {
    const parts = new Map(
      providers.map((id) => [
        id,
        Array.from({ length: until - from }, (): DayRows => ({ held: [], blocked: [], booked: [] })),
      ]),
    )
    const each = (time: Interval & { readonly providerId: number }, put: (part: DayRows) => void) => {
      const last = Math.min(utcDayOf(time.end - 1), until - 1)
      for (let day = Math.max(utcDayOf(time.start), from); day <= last; day += 1) {
        const part = parts.get(time.providerId)?.[day - from]
        if (part) put(part)
      }
    }
    for (const time of times.held) each(time, ({ held }) => held.push(time))
    for (const time of times.blocked) each(time, ({ blocked }) => blocked.push(time))
    for (const one of times.booked) parts.get(one.providerId)?.[utcDayOf(one.start) - from]?.booked.push(one)
    for (const [id, days] of parts) for (const [index, rows] of days.entries()) this.#put(id, from + index, rows)
  }

  #put(id: number, number: number, { held, blocked, booked }: DayRows): void {
    const days = this.#days.get(id) ?? new Map<number, DayTimes>()
    this.#days.set(id, days)
    const holds = held.filter(({ expiresAt }) => expiresAt !== null)
    const day: DayTimes = {
      taken: this.#taken.fill(held.length - holds.length, (columns, first) => {
        for (const { expiresAt, start, end, slot } of held)
          if (expiresAt === null) columns.addSeat(first, start, end, slot)
      }),
      holds,
      blocked: this.#blocked.fill(blocked.length, (columns) => {
        for (const { start, end, source } of blocked) columns.add(start, end, source)
      }),
      booked,
      size:
        bytesADay +
        (held.length + blocked.length) * bytesPerTimeRow +
        held.length * bytesASlot +
        (holds.length + booked.length) * bytesABooked,
      used: true,
      forgotten: () => days.delete(number),
    }
    const before = days.get(number)
    if (before) this.#cache.forget(before)
    days.set(number, day)
    this.#cache.keep(day)
  }

  #forget(id: number, { start, end }: Interval): void {
    const days = this.#days.get(id)
    if (!days) return
    const [first, last] = [utcDayOf(start), utcDayOf(end - 1)]
    // Time off may last for years of which few days are kept.
    if (last - first > days.size) {
      for (const [number, day] of days) if (number >= first && number <= last) this.#cache.forget(day)
      return
    }
    for (let number = first; number <= last; number += 1) {
      const day = days.get(number)
      if (day) this.#cache.forget(day)
    }
  }
}

// Of days long forgotten, one that is still kept can hold on to no more than this.
const rowsABlock = 64

/** Columns for one day after the other, some days in one: each list of numbers costs a microsecond to make. */
class Blocks<Mark> {
  #last = new TimeColumns<Mark>(0)

  /** The rows that are added to columns with room for so many. */
  fill(rows: number, add: (columns: TimeColumns<Mark>, first: number) => void): TimeRows<Mark> {
    if (rows === 0) return noTimes
    if (this.#last.room < rows) this.#last = new TimeColumns(Math.max(rows, rowsABlock))
    const first = this.#last.length
    add(this.#last, first)
    return this.#last.since(first)
  }
}

/** What each provider has on its days, by start; of a single day as it is kept. */
function joined<Mark>(
  days: ReadonlyMap<number, readonly DayPart[]>,
  rowsOf: (day: DayTimes) => TimeRows<Mark>,
): Map<ResourceName, TimeRows<Mark>> {
  let most = 0
  for (const parts of days.values())
    if (parts.length > 1) for (const { day } of parts) most += rowsOf(day).after - rowsOf(day).first
  const columns = new TimeColumns<Mark>(most)
  const found = new Map<ResourceName, TimeRows<Mark>>()
  for (const [id, parts] of days) {
    const [one] = parts
    if (one && parts.length === 1) found.set(providerResource(id), rowsOf(one.day))
    else {
      const first = columns.length
      for (const part of parts) {
        const rows = rowsOf(part.day)
        columns.copy(rows, part === one ? rows.first : firstRowFrom(rows, part.start))
      }
      found.set(providerResource(id), columns.since(first))
    }
  }
  return found
}

function firstRowFrom({ starts, first, after }: TimeRows<unknown>, instant: number): number {
  let row = first
  while (row < after && (starts[row] ?? 0) < instant) row += 1
  return row
}

/** What is held on some days at `now`; narrows the stretch in which that is so. */
function holdsOf(
  parts: readonly DayPart[],
  now: number,
  validity: { start: number; end: number },
): readonly HeldSeat[] {
  const found: HeldSeat[] = []
  for (const part of parts)
    for (const one of part.day.holds) {
      const { expiresAt } = one
      if (expiresAt === null || (part !== parts[0] && one.start < part.start)) continue
      if (expiresAt <= now) validity.start = Math.max(validity.start, expiresAt)
      else {
        validity.end = Math.min(validity.end, expiresAt)
        found.push(one)
      }
    }
  return found
}

/** Taken time with the seats that are held, those of one slot counted together. */
function withHolds({ starts, ends, marks, counts, first, after }: TakenTimes, holds: readonly HeldSeat[]): TakenTimes {
  const slots = new Map<string, Occupied>()
  for (let row = first; row < after; row += 1) {
    const slot = marks[row] ?? ''
    slots.set(slot, { start: starts[row] ?? 0, end: ends[row] ?? 0, slot, taken: counts[row] ?? 0 })
  }
  for (const { slot, start, end } of holds)
    slots.set(slot, { start, end, slot, taken: (slots.get(slot)?.taken ?? 0) + 1 })
  const columns = new TimeColumns<string>(slots.size)
  for (const { start, end, slot, taken } of [...slots.values()].sort((one, other) => one.start - other.start))
    columns.add(start, end, slot, taken)
  return columns.since(0)
}
