import type { RoutingMode } from '../../catalogue/services/service.ts'
import type { Openings, OpenSource } from '../listing/openings.ts'
import type { SlotSource } from '../listing/slot-source.ts'
import type { BookingIndex } from '../plan/booking-index.ts'
import type { Plan } from '../plan/plan.ts'
import { reservedSecondsWithin } from '../plan/reservation-counts.ts'
import { localDay } from '../time/zone.ts'
import { choose, neverAssigned, type RoutingCandidate } from './routing.ts'

/**
 * One of the providers of which one is chosen for each slot (a pool), with the starts of the provider's listed slots.
 */
export interface Contender extends RoutingCandidate {
  readonly slotSource: SlotSource
  readonly openings: Openings
  /** The index of the first start of this provider that `poolOpenings` has not merged yet. */
  next: number
}

/**
 * One start at which a pool (the providers of which one is chosen for each slot) has a slot, with the free providers
 * and the provider under which the slot is listed. A full slot has no free provider.
 */
export interface PoolOpening {
  readonly start: number
  readonly listed: Contender
  readonly free: readonly Contender[]
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

/**
 * Creates the contender of a provider: its listed slots, and the values by which the routing modes compare it with the
 * other providers.
 */
export function contender(
  { slotSource, openings }: OpenSource,
  { rule, assigned, reserved }: RoutingCandidate,
): Contender {
  return { slotSource, openings, next: 0, rule, assigned, reserved }
}

/**
 * Returns the starts of the listed slots of these providers, ascending, each with the provider under which it is
 * listed: the one that the routing mode chooses for the slot, or the one with the lowest id if the slot is full. The
 * contenders must have the same duration and be ascending by id.
 */
export function poolOpenings(
  bucket: number,
  contenders: readonly Contender[],
  mode: RoutingMode,
): readonly PoolOpening[] {
  const openings: PoolOpening[] = []
  let start = Math.min(...contenders.map(nextStart))
  while (start < never) {
    const free: Contender[] = []
    let listed: Contender | undefined
    let following = never
    for (const one of contenders) {
      if (nextStart(one) === start) {
        // Routing assigns no provider to a full slot, so the slot is listed under the lowest id of its providers.
        listed ??= one
        if (!one.openings.full.has(start)) free.push(one)
        one.next += 1
      }
      following = Math.min(following, nextStart(one))
    }
    listed = choose(mode, free, { bucket, start }) ?? listed
    if (listed) openings.push({ start, listed, free })
    start = following
  }
  return openings
}

function nextStart({ openings: { starts }, next }: Contender): number {
  return starts[next] ?? never
}

const never = Number.POSITIVE_INFINITY
