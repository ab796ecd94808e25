import type { Catalogue } from '../../catalogue/catalogue.ts'
import { isPool, type Service } from '../../catalogue/services/service.ts'
import type { Database } from '../../db/database.ts'
import { dayLength, utcDayOf } from '../../scheduling/invalidation.ts'
import { dependenciesOf, type SourceDependencies } from '../../scheduling/listing/dependencies.ts'
import { type Openings, openingsWithin, timelessOpenings } from '../../scheduling/listing/openings.ts'
import { slotsOf } from '../../scheduling/listing/slot-list.ts'
import { type SlotSource, slotSourcesOf } from '../../scheduling/listing/slot-source.ts'
import { type BookingIndex, bookingIndexOf } from '../../scheduling/plan/booking-index.ts'
import type { Plan } from '../../scheduling/plan/plan.ts'
import { reservedSecondsWithin } from '../../scheduling/plan/reservation-counts.ts'
import { sourceSlots } from '../../scheduling/slots.ts'
import { contains, type Interval, intersection } from '../../scheduling/time/interval.ts'
import { localDay } from '../../scheduling/time/zone.ts'
import { type LoadedPlan, loadPlan } from '../plan.sql.ts'
import { bucketOf, bucketSeconds } from '../slot-id.ts'
import { slotText } from '../slot-json.ts'
import type { Changes, Dependency, ReadDependencies } from './changes.ts'
import type { CacheEntry, ClockCache } from './clock-cache.ts'
import type { SlotText } from './slot-text.ts'

/** A cached unit: the slots of one source (a provider, or all providers of a collective service) on one UTC day. */
export interface Unit extends CacheEntry {
  /**
   * The starts of the bookable slots and, if the site lists full slots, also of the full ones. Lead time (the minimum
   * notice) and booking horizon are applied later, when the unit is read.
   */
  readonly openings: Openings
  /**
   * The interval around the time of computation in which no hold (a temporary reservation) and no pending reservation
   * expires, and no reading of a connected calendar becomes too old.
   */
  readonly validity: Interval
  readonly dependencies: ReadDependencies
  /**
   * The total duration, in seconds, of the provider's reservations on each local day on which `openings.grid` (the
   * starts in opening hours) has a start. Empty unless the service has the routing mode `least_busy`.
   */
  readonly loads: readonly (Interval & { readonly seconds: number })[]
  /**
   * The JSON of the unit's slots, and the interval in which it is valid; undefined until it is first needed. Always
   * undefined for a service whose routing picks one of several providers for each slot.
   */
  text: { readonly slots: SlotText; readonly validity: Interval } | undefined
}

/**
 * The cached units (the slots of one UTC day each) of one source, under one version of the catalogue. The keys of
 * `days` are UTC day numbers since 1970-01-01.
 */
export interface SourceUnits {
  readonly slotSource: SlotSource
  readonly dependencies: SourceDependencies
  readonly days: Map<number, Unit>
}

/**
 * Returns the slot sources of a service (each provider, or all providers of a collective service together), with empty
 * caches of slots.
 */
export function sourceUnitsOf(plan: Pick<Plan, 'providers'>, service: Service): readonly SourceUnits[] {
  return slotSourcesOf(plan, service).map((slotSource) => ({
    slotSource,
    dependencies: dependenciesOf(slotSource),
    days: new Map(),
  }))
}

/**
 * Slot sources (each a provider, or all providers of a collective service), and the UTC days (both included) for which
 * their slots are computed, as day numbers since 1970-01-01.
 */
export interface UnitRange {
  readonly sources: readonly SourceUnits[]
  readonly firstDay: number
  readonly lastDay: number
}

/**
 * Reads the data from which the slots of a range of sources and days are computed, with at most five queries. The
 * caller must pass a snapshot.
 */
export function loadUnitPlan(
  db: Database,
  catalogue: Catalogue,
  { sources, firstDay, lastDay }: UnitRange,
  now: number,
): Promise<LoadedPlan> {
  return loadPlan(db, {
    catalogue,
    services: [...new Set(sources.map(({ slotSource }) => slotSource.service))],
    from: firstDay * dayLength,
    until: (lastDay + 1) * dayLength,
    now,
    bucket: Math.floor(now / bucketSeconds),
    unrouted: true,
    providerIds: new Set(sources.flatMap(({ slotSource }) => slotSource.eligible)),
  })
}

// Estimates of memory in bytes, from measurements: a unit (the slots of one source on one day) without its slots, the
// start of a slot, and the JSON of a slot with its start and offset.
const unitBytes = 700
const startBytes = 16
const slotBytes = 280

/**
 * Computes the units of a range (the slots of each source on each day) and caches them. `plan` must have been read when
 * `sequence` was the number of the last change, so that later changes make the units stale.
 */
export function computeUnits(
  plan: LoadedPlan,
  { sources, firstDay, lastDay }: UnitRange,
  { cache, changes, sequence }: { readonly cache: ClockCache; readonly changes: Changes; readonly sequence: number },
): void {
  const bookingIndex = bookingIndexOf(plan)
  const within = { start: firstDay * dayLength, end: (lastDay + 1) * dayLength }
  for (const source of sources) {
    const { slotSource, days } = source
    const all = timelessOpenings(slotSource, plan, bookingIndex, within)
    const validity = slotSource.members
      .map(({ resource }) => plan.validity.get(resource) ?? always)
      .reduce(intersection, always)
    for (let day = firstDay; day <= lastDay; day += 1) {
      const openings = openingsWithin(all, { start: day * dayLength, end: (day + 1) * dayLength })
      const loads = loadsOf(slotSource, bookingIndex, openings.grid)
      const bytes = isPool(slotSource.service.settings.routingMode) ? startBytes : slotBytes
      cacheUnit(cache, days, day, {
        openings,
        validity,
        dependencies: changes.dependencies(sequence, dependenciesOn(source, openings.grid, loads)),
        loads,
        text: undefined,
        size: unitBytes + bytes * openings.starts.length,
        used: true,
      })
    }
  }
}

/**
 * Caches a unit in place of the previous one of the same source and day. This is a function of its own because
 * `evicted` retains the scope in which it is created: in `computeUnits`, every unit would retain the plan.
 */
function cacheUnit(cache: ClockCache, days: Map<number, Unit>, day: number, content: Omit<Unit, 'evicted'>): void {
  const unit: Unit = {
    ...content,
    evicted: () => {
      if (days.get(day) === unit) days.delete(day)
    },
  }
  const old = days.get(day)
  if (old) cache.remove(old)
  days.set(day, unit)
  cache.add(unit)
}

/**
 * Returns the JSON of a unit's slots at `now`. The JSON is cached in the unit until the ids of the slots change, which
 * they do every 15 minutes.
 */
export function textOf({ slotSource }: SourceUnits, unit: Unit, made: { secret: string; now: number }) {
  if (unit.text && contains(unit.text.validity, made.now)) return unit.text
  const slots = slotText(slotsOf(sourceSlots({ slotSource, openings: unit.openings })), made)
  unit.text = { slots, validity: bucketOf(slotSource.service.id, made.now) }
  return unit.text
}

/** The interval that contains every instant. */
export const always: Interval = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY }

function loadsOf({ service, provider }: SlotSource, bookingIndex: BookingIndex, grid: readonly number[]) {
  const loads: (Interval & { readonly seconds: number })[] = []
  if (service.settings.routingMode !== 'least_busy') return loads
  for (const start of grid) {
    const last = loads.at(-1)
    if (last && contains(last, start)) continue
    const day = localDay(provider.timezone, start)
    const seconds = reservedSecondsWithin(bookingIndex.ofProvider(provider.id), day)
    loads.push({ start: day.start, end: day.end, seconds })
  }
  return loads
}

/**
 * Returns the dependencies of a unit, besides the catalogue. A unit without starts in opening hours (`grid`) has no
 * other dependencies: only a change of the catalogue, such as of opening hours, overrides or holidays, can add starts.
 */
function dependenciesOn(
  { slotSource, dependencies }: SourceUnits,
  grid: readonly number[],
  loads: readonly Interval[],
) {
  const [first, last] = [grid[0], grid.at(-1)]
  if (first === undefined || last === undefined) return []
  const { service, members } = slotSource
  const on: Dependency[] = []
  const add = (subject: Dependency['subject'], from: number, until: number) =>
    on.push({ subject, firstDay: utcDayOf(from), lastDay: utcDayOf(until - 1) })
  const { before, after, reservations } = dependencies
  const margin = reservations?.margin ?? 0
  const [from, until] = [first - Math.max(before, margin), last + Math.max(after, margin + 1)]
  for (const { resource } of members) {
    add(resource, from, until)
    for (const { start, end } of loads) add(resource, start, end)
  }
  if (reservations?.ofAllProviders) add(`service:${service.id}`, from, until)
  return on
}
