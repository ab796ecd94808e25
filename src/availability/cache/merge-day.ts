import { isPool, type Service } from '../../catalogue/services/service.ts'
import { clockValidity } from '../../scheduling/listing/dependencies.ts'
import { openingsAt } from '../../scheduling/listing/openings.ts'
import { slotsOf } from '../../scheduling/listing/slot-list.ts'
import type { Assigned } from '../../scheduling/plan/plan.ts'
import { type OpenPool, openPool } from '../../scheduling/routing/pool.ts'
import { neverAssigned, type RoutingCandidate } from '../../scheduling/routing/routing.ts'
import { latestStart } from '../../scheduling/rules/horizon.ts'
import { earliestStart } from '../../scheduling/rules/lead-time.ts'
import { poolSlots } from '../../scheduling/slots.ts'
import { contains, type Interval, intersection } from '../../scheduling/time/interval.ts'
import { bucketOf, bucketSeconds } from '../slot-id.ts'
import { slotText } from '../slot-json.ts'
import type { MergedDependencies, ReadDependencies } from './changes.ts'
import type { CacheEntry } from './clock-cache.ts'
import type { NumberedText } from './listed-slots.ts'
import type { ServiceUnits } from './question.ts'
import { partWithin, type SlotText, type TextPart } from './slot-text.ts'
import { always, type SourceUnits, textOf, type Unit } from './units.ts'

/** The values on which the merging of a day's slots depends, besides the units (the slots of each source). */
export interface MergeContext {
  /**
   * Returns, by provider id, how many reservations of a service routing assigned to the provider, and the time of the
   * last one.
   */
  readonly assigned: (service: Service) => ReadonlyMap<number, Assigned>
  readonly secret: string
  readonly now: number
}

/**
 * The listed starts of a day of a service whose routing picks one of several providers for each slot. Unlike its slots,
 * they do not depend on routing counts.
 */
export interface PoolDay {
  readonly pool: OpenPool
  /** The loads of the unit of each source (see `Unit`), in the order of the sources. */
  readonly loads: readonly Unit['loads'][]
  /** The estimated size in bytes. */
  readonly size: number
}

/** The slots of one slot source on a day, or a pool before its routing. */
type DayPart = TextPart | PoolDay

/** One UTC day of a question (a filter of services and providers): the slots of all its slot sources, merged. */
export interface MergedDay extends NumberedText, CacheEntry {
  readonly validity: Interval
  readonly dependencies: MergedDependencies
  /** The dependencies on routing counts (`Assigned`), which belong to no day. */
  readonly assigned: readonly ReadDependencies[]
  /** The pools of the day, if it has no other slots: they are routed again when only routing counts have changed. */
  readonly pools: readonly PoolDay[] | undefined
}

/**
 * Returns the slots of a day in the order of the services, except those that start before the service's lead time (the
 * minimum notice) or after its booking horizon at `now`. A service whose routing picks one of several providers for
 * each slot has one part; any other service has one part per slot source that has slots.
 */
export function partsOf(services: readonly ServiceUnits[], units: readonly Unit[], context: MergeContext): TextPart[] {
  return routed(dayParts(services, units, context), context)
}

/** Returns the parts that `partsOf` returns, but with pools in place of their slots. */
export function dayParts(services: readonly ServiceUnits[], units: readonly Unit[], context: MergeContext): DayPart[] {
  const { now } = context
  const parts: DayPart[] = []
  let next = 0
  for (const { service, sources } of services) {
    if (isPool(service.settings.routingMode)) {
      parts.push(poolDay(service, sources, units.slice(next, next + sources.length), now))
      next += sources.length
      continue
    }
    for (const source of sources) {
      const unit = units[next]
      next += 1
      if (!unit || unit.openings.starts.length === 0) continue
      const { rule } = source.slotSource
      parts.push(partWithin(textOf(source, unit, context).slots, earliestStart(rule, now), latestStart(rule, now) + 1))
    }
  }
  return parts
}

/** Returns the parts of a day with the slots of its pools in place of the pools. */
export function routed(parts: readonly DayPart[], context: MergeContext): TextPart[] {
  return parts.map((part) => {
    if (!isPoolDay(part)) return part
    const text = poolText(part, context)
    return { text, first: 0, after: text.starts.length }
  })
}

function isPoolDay(part: DayPart): part is PoolDay {
  return 'pool' in part
}

/** Returns the parts of a day if all of them are pools. */
export function poolsAmong(parts: readonly DayPart[]): readonly PoolDay[] | undefined {
  return parts.every(isPoolDay) ? parts : undefined
}

/** Returns the interval around `now` in which a merged day stays correct as long as the database does not change. */
export function mergedValidity(services: readonly ServiceUnits[], units: readonly Unit[], now: number): Interval {
  let validity = always
  let next = 0
  for (const { service, sources } of services) {
    if (sources.length > 0) validity = intersection(validity, bucketOf(service.id, now))
    if (service.settings.routingMode === 'random') {
      const bucket = Math.floor(now / bucketSeconds)
      validity = intersection(validity, { start: bucket * bucketSeconds, end: (bucket + 1) * bucketSeconds })
    }
    for (const { dependencies } of sources) {
      const unit = units[next]
      next += 1
      if (!unit) continue
      const cuts = clockValidity(unit.openings.starts, dependencies.clocks, now)
      validity = intersection(validity, intersection(unit.validity, cuts))
    }
  }
  return validity
}

function poolDay(service: Service, sources: readonly SourceUnits[], units: readonly Unit[], now: number): PoolDay {
  const open = sources.flatMap(({ slotSource }, index) => {
    const unit = units[index]
    return unit ? [{ slotSource, openings: openingsAt(unit.openings, slotSource.rule, now) }] : []
  })
  const pool = openPool(service, open)
  let size = 0
  for (const { openings } of pool.sources) size += 80 + 16 * openings.starts.length
  for (const { free } of pool.openings) size += 80 + 8 * free.length
  return { pool, loads: units.map(({ loads }) => loads), size }
}

function poolText({ pool, loads }: PoolDay, { assigned, secret, now }: MergeContext): SlotText {
  const counts = assigned(pool.service)
  const candidates = pool.sources.map(({ slotSource: { rule, provider } }, index): RoutingCandidate => {
    const own = loads[index] ?? []
    return {
      rule,
      assigned: counts.get(provider.id) ?? neverAssigned,
      reserved: (start) => own.find((load) => contains(load, start))?.seconds ?? 0,
    }
  })
  return slotText(slotsOf(poolSlots(pool, candidates, Math.floor(now / bucketSeconds))), { secret, now })
}
