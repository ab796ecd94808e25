import type { Assigned, Booked, Plan } from '../domain/availability.ts'
import type { Interval } from '../domain/interval.ts'
import type { Blocked, Occupied } from '../domain/occupancy.ts'
import type { Provider } from '../domain/provider.ts'
import type { Service } from '../domain/service.ts'
import { dayLength, dayOf } from '../domain/steady.ts'
import type { Touched } from '../domain/touched.ts'
import type { Catalogue } from '../storage/catalogue.ts'
import type { Database } from '../storage/database.ts'
import { type Held, loadTimes, type Times } from '../storage/times.ts'
import type { Kept, Shelf } from './shelf.ts'

/** What lies in one provider's time on one day of UTC: what overlaps it, and reservations that start in it. */
interface DayTimes extends Kept {
  readonly held: readonly Held[]
  readonly blocked: readonly Blocked[]
  readonly booked: readonly Booked[]
}

/** Some days of one provider in a row. */
interface Line extends Pick<DayTimes, 'held' | 'blocked' | 'booked'> {
  /** Which days. */
  readonly name: string
  /** Whether any of it is held for a while only. */
  readonly expires: boolean
}

/** What a plan is put together for. */
export interface PlanWish {
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

// Measured: a row with its texts and its place in the lists.
const bytesARow = 240
const bytesADay = 400

/** The providers' times of the days that were asked for, as committed; what is touched is read again. */
export class KeptTimes {
  readonly #shelf: Shelf
  readonly #days = new Map<number, Map<number, DayTimes>>()
  readonly #lines = new Map<number, Line>()

  constructor(shelf: Shelf) {
    this.#shelf = shelf
  }

  /** Forgets what is no longer so. */
  hear(touched: readonly Touched[]): void {
    for (const one of touched) {
      if (one.kind === 'time') this.#forget(one.providerId, one)
      else if (one.kind === 'booked') this.#forget(one.providerId, { start: one.start, end: one.start + 1 })
      else if (one.kind === 'everything')
        for (const days of this.#days.values()) for (const day of days.values()) this.#shelf.forget(day)
    }
  }

  /** Reads what is missing of the providers' times; ask for the plan before anything else can happen. */
  async load(db: Database, providers: readonly Provider[], stretch: Interval): Promise<void> {
    const first = dayOf(stretch.start)
    const last = dayOf(stretch.end - 1)
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
  plan(wish: PlanWish): { readonly plan: Plan; readonly steady: Interval } {
    const { catalogue, services, providers, now } = wish
    const occupied = new Map<number, readonly Occupied[]>()
    const blocked = new Map<number, readonly Blocked[]>()
    const booked: Booked[] = []
    const steady = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY }
    for (const { id } of providers) {
      const line = this.#lineOf(id, wish)
      occupied.set(id, line.expires ? counted(line.held, now, steady) : line.held)
      blocked.set(id, line.blocked)
      append(booked, line.booked, undefined)
    }
    const plan = {
      holidays: catalogue.site.holidays,
      listFullSlots: catalogue.site.policies.listFullSlots,
      services,
      providers: catalogue.providers,
      occupied,
      blocked,
      booked,
      assigned: wish.assigned,
      bucket: wish.bucket,
    }
    return { plan, steady }
  }

  /** A provider's days in a row; the last ones put together are kept, as mostly one provider's days have changed. */
  #lineOf(id: number, { occupied, booked }: Pick<PlanWish, 'occupied' | 'booked'>): Line {
    const name = `${occupied.start} ${occupied.end} ${booked.start} ${booked.end}`
    const known = this.#lines.get(id)
    if (known?.name === name) return known
    const held: Held[] = []
    const blocked: Blocked[] = []
    const near: Booked[] = []
    for (const { day, first, start } of this.#daysOf(id, occupied)) {
      append(held, day.held, first ? undefined : start)
      append(blocked, day.blocked, first ? undefined : start)
    }
    for (const { day } of this.#daysOf(id, booked)) append(near, day.booked, undefined)
    const expires = held.some(({ expiresAt }) => expiresAt !== null)
    const line = { name, held, blocked, booked: near, expires }
    this.#lines.set(id, line)
    return line
  }

  /** A provider's days that share an instant with the stretch. */
  #daysOf(id: number, { start, end }: Interval): { day: DayTimes; first: boolean; start: number }[] {
    const days = this.#days.get(id)
    const first = dayOf(start)
    const found: { day: DayTimes; first: boolean; start: number }[] = []
    for (let number = first; number <= dayOf(end - 1); number += 1) {
      const day = days?.get(number)
      // Never guess: what was loaded is there until somebody else has his turn.
      if (!day) throw new Error(`Day ${number} of provider ${id} was not loaded.`)
      day.used = true
      found.push({ day, first: number === first, start: number * dayLength })
    }
    return found
  }

  #keep(providers: readonly number[], { from, until }: { from: number; until: number }, times: Times): void {
    const parts = new Map(
      providers.map((id) => [
        id,
        Array.from({ length: until - from }, () => ({
          held: [] as Held[],
          blocked: [] as Blocked[],
          booked: [] as Booked[],
        })),
      ]),
    )
    const each = (
      time: Interval & { readonly providerId: number },
      put: (part: { held: Held[]; blocked: Blocked[] }) => void,
    ) => {
      const last = Math.min(dayOf(time.end - 1), until - 1)
      for (let day = Math.max(dayOf(time.start), from); day <= last; day += 1) {
        const part = parts.get(time.providerId)?.[day - from]
        if (part) put(part)
      }
    }
    for (const time of times.held) each(time, ({ held }) => held.push(time))
    for (const time of times.blocked) each(time, ({ blocked }) => blocked.push(time))
    for (const one of times.booked) parts.get(one.providerId)?.[dayOf(one.start) - from]?.booked.push(one)
    for (const [id, days] of parts) for (const [index, day] of days.entries()) this.#put(id, from + index, day)
  }

  #put(id: number, number: number, times: Pick<DayTimes, 'held' | 'blocked' | 'booked'>): void {
    const days = this.#days.get(id) ?? new Map<number, DayTimes>()
    this.#days.set(id, days)
    const rows = times.held.length + times.blocked.length + times.booked.length
    const day: DayTimes = {
      ...times,
      size: bytesADay + rows * bytesARow,
      used: true,
      forgotten: () => {
        days.delete(number)
        this.#lines.delete(id)
      },
    }
    const before = days.get(number)
    if (before) this.#shelf.forget(before)
    days.set(number, day)
    this.#shelf.keep(day)
  }

  #forget(id: number, { start, end }: Interval): void {
    const days = this.#days.get(id)
    if (!days) return
    const [first, last] = [dayOf(start), dayOf(end - 1)]
    // Time off may last for years of which few days are kept.
    if (last - first > days.size) {
      for (const [number, day] of days) if (number >= first && number <= last) this.#shelf.forget(day)
      return
    }
    for (let number = first; number <= last; number += 1) {
      const day = days.get(number)
      if (day) this.#shelf.forget(day)
    }
  }
}

/** Adds times that rise by start; those that began before `from` are there already. */
function append<Time extends Interval>(to: Time[], times: readonly Time[], from: number | undefined): void {
  for (let index = 0; index < times.length; index += 1) {
    const time = times[index]
    if (time && (from === undefined || time.start >= from)) to.push(time)
  }
}

/** The time that is taken at `now`, seats of one slot counted together; narrows the stretch in which that is so. */
function counted(held: readonly Held[], now: number, steady: { start: number; end: number }): readonly Occupied[] {
  const slots = new Map<string, Held>()
  for (const one of held) {
    const { expiresAt } = one
    if (expiresAt !== null && expiresAt <= now) {
      steady.start = Math.max(steady.start, expiresAt)
      continue
    }
    if (expiresAt !== null) steady.end = Math.min(steady.end, expiresAt)
    const before = slots.get(one.slot)
    slots.set(one.slot, before ? { ...before, taken: before.taken + one.taken } : one)
  }
  return [...slots.values()].sort((a, b) => a.start - b.start)
}
