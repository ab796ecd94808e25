import type { Service } from '../../catalogue/services/service.ts'
import { clockValidity } from '../../scheduling/listing/dependencies.ts'
import { openingsAt } from '../../scheduling/listing/openings.ts'
import { slotsOf } from '../../scheduling/listing/slot-list.ts'
import type { Assigned } from '../../scheduling/plan/plan.ts'
import { neverAssigned, type RoutingCandidate } from '../../scheduling/routing/routing.ts'
import { latestStart } from '../../scheduling/rules/horizon.ts'
import { earliestStart } from '../../scheduling/rules/lead-time.ts'
import { isPool, poolSlots } from '../../scheduling/slots.ts'
import { contains, type Interval, intersection } from '../../scheduling/time/interval.ts'
import { bucketOf, bucketSeconds } from '../slot-id.ts'
import { slotText } from '../slot-json.ts'
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
 * Returns the slots of a day in the order of the services, except those that start before the service's lead time (the
 * minimum notice) or after its booking horizon at `now`. A service whose routing picks one of several providers for
 * each slot has one text; any other service has one text per slot source that has slots.
 */
export function partsOf(services: readonly ServiceUnits[], units: readonly Unit[], context: MergeContext): TextPart[] {
  const { now } = context
  const parts: TextPart[] = []
  let next = 0
  for (const { service, sources } of services) {
    if (isPool(service)) {
      const text = poolText(service, sources, units.slice(next, next + sources.length), context)
      parts.push({ text, first: 0, after: text.starts.length })
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

function poolText(
  service: Service,
  sources: readonly SourceUnits[],
  units: readonly Unit[],
  { assigned, secret, now }: MergeContext,
): SlotText {
  const counts = assigned(service)
  const open = sources.flatMap(({ slotSource }, index) => {
    const unit = units[index]
    return unit ? [{ slotSource, openings: openingsAt(unit.openings, slotSource.rule, now) }] : []
  })
  const candidates = open.map(({ slotSource: { rule, provider } }, index): RoutingCandidate => {
    const loads = units[index]?.loads ?? []
    return {
      rule,
      assigned: counts.get(provider.id) ?? neverAssigned,
      reserved: (start) => loads.find((load) => contains(load, start))?.seconds ?? 0,
    }
  })
  return slotText(slotsOf(poolSlots(service, open, candidates, Math.floor(now / bucketSeconds))), { secret, now })
}
