import type { Service } from '../../catalogue/services/service.ts'
import type { OpenSource } from '../listing/openings.ts'
import type { SlotSource } from '../listing/slot-source.ts'
import type { BookingIndex } from '../plan/booking-index.ts'
import type { Plan } from '../plan/plan.ts'
import { reservedSecondsWithin } from '../plan/reservation-counts.ts'
import { localDay } from '../time/zone.ts'
import { neverAssigned, type RoutingCandidate } from './routing.ts'

/** One start at which a pool has a slot. Providers are given as indexes of `OpenPool.sources`. */
export interface PoolOpening {
  readonly start: number
  /** The provider with the lowest id; a full slot is listed under it, because routing assigns no provider to it. */
  readonly lowest: number
  /** The free providers, ascending; none if the slot is full. */
  readonly free: readonly number[]
}

/**
 * A pool (the providers of which one is chosen for each slot) with its listed starts. It does not depend on how often
 * each provider was assigned.
 */
export interface OpenPool {
  readonly service: Service
  readonly sources: readonly OpenSource[]
  /** One opening for each start and duration, ascending by start among those of one duration. */
  readonly openings: readonly PoolOpening[]
}

/**
 * The data from which the routing modes choose a provider for a slot, besides the settings: assignments, reservations
 * and the seed of `random`.
 */
export interface Routing extends Pick<Plan, 'assigned' | 'bucket'> {
  readonly bookingIndex: BookingIndex
}

/** Returns the provider of a slot source with the values by which the routing modes choose a provider for a slot. */
export function candidateOf(
  { provider, rule }: SlotSource,
  { assigned, bookingIndex }: Omit<Routing, 'bucket'>,
): RoutingCandidate {
  let day = { start: 0, end: 0 }
  let seconds = 0
  return {
    rule,
    assigned: assigned.get(rule.serviceId)?.get(provider.id) ?? neverAssigned,
    reserved(start) {
      if (start < day.start || start >= day.end) {
        day = localDay(provider.timezone, start)
        seconds = reservedSecondsWithin(bookingIndex.ofProvider(provider.id), day)
      }
      return seconds
    },
  }
}

/** Merges the listed starts of the providers of a pool, which must be in ascending order of ids. */
export function openPool(service: Service, sources: readonly OpenSource[]): OpenPool {
  const listed = [...sources.keys()].filter((index) => sources[index]?.openings.starts.length)
  const byDuration = Map.groupBy(listed, (index) => sources[index]?.slotSource.rule.duration)
  return { service, sources, openings: [...byDuration.values()].flatMap((alike) => poolOpenings(sources, alike)) }
}

/** Returns the openings of those providers, given as indexes of `sources`, which must have the same duration. */
function poolOpenings(sources: readonly OpenSource[], alike: readonly number[]): PoolOpening[] {
  const heads = alike.map((index) => ({ index, openings: sources[index]?.openings, next: 0 }))
  const headOf = ({ openings, next }: (typeof heads)[number]) => openings?.starts[next] ?? never
  const found: PoolOpening[] = []
  let start = Math.min(...heads.map(headOf))
  while (start < never) {
    const free: number[] = []
    let lowest: number | undefined
    let following = never
    for (const head of heads) {
      if (headOf(head) === start) {
        lowest ??= head.index
        if (!head.openings?.full.has(start)) free.push(head.index)
        head.next += 1
      }
      following = Math.min(following, headOf(head))
    }
    if (lowest !== undefined) found.push({ start, lowest, free })
    start = following
  }
  return found
}

const never = Number.POSITIVE_INFINITY
