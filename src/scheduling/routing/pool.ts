import type { RoutingMode } from '../../catalogue/services/service.ts'
import type { Openings, OpenSource } from '../listing/openings.ts'
import type { SlotSource } from '../listing/slot-source.ts'
import type { BookingIndex } from '../plan/booking-index.ts'
import type { Plan } from '../plan/plan.ts'
import { reservedSecondsWithin } from '../plan/reservation-counts.ts'
import { localDay } from '../time/zone.ts'
import { choose, neverAssigned, type RoutingCandidate } from './routing.ts'

/** A provider of a pool with the starts at which it can be booked. */
export interface Contender extends RoutingCandidate {
  readonly slotSource: SlotSource
  readonly openings: Openings
  /** The first opening not looked at yet. */
  next: number
}

/** One start of a pool: the providers free for it and the one it is listed under; a full start has no free provider. */
export interface PoolOpening {
  readonly start: number
  readonly listed: Contender
  readonly free: readonly Contender[]
}

/** What the ways of routing look at. */
export interface Routing extends Pick<Plan, 'assigned' | 'bucket'> {
  readonly bookingIndex: BookingIndex
}

/** The provider of the slot source as one who may be chosen. */
export function candidateOf(
  { provider, rule }: SlotSource,
  { assigned, bookingIndex }: Omit<Routing, 'bucket'>,
): RoutingCandidate {
  let day = { start: 0, end: 0 }
  let seconds = 0
  return {
    rule,
    assigned: assigned.get(`${rule.serviceId}:${provider.id}`) ?? neverAssigned,
    reserved(start) {
      if (start < day.start || start >= day.end) {
        day = localDay(provider.timezone, start)
        seconds = reservedSecondsWithin(bookingIndex.ofProvider(provider.id), day)
      }
      return seconds
    },
  }
}

/** A candidate with the openings of its slot source, as it competes for slots. */
export function contender(
  { slotSource, openings }: OpenSource,
  { rule, assigned, reserved }: RoutingCandidate,
): Contender {
  return { slotSource, openings, next: 0, rule, assigned, reserved }
}

/** Every start of the contenders, ascending, each with the provider that routing picks. Contenders have one duration and ascending ids. */
export function poolOpenings(
  bucket: number,
  contenders: readonly Contender[],
  mode: RoutingMode,
): readonly PoolOpening[] {
  const openings: PoolOpening[] = []
  for (let start = earliestNext(contenders); start < Number.POSITIVE_INFINITY; start = earliestNext(contenders)) {
    const free: Contender[] = []
    let listed: Contender | undefined
    for (const one of contenders) {
      if (one.openings.starts[one.next] !== start) continue
      // A full slot has no pick: it is listed under the lowest id.
      listed ??= one
      if (!one.openings.full.has(start)) free.push(one)
    }
    listed = choose(mode, free, { bucket, start }) ?? listed
    if (listed) openings.push({ start, listed, free })
    for (const one of contenders) if (one.openings.starts[one.next] === start) one.next += 1
  }
  return openings
}

function earliestNext(contenders: readonly Contender[]): number {
  let earliest = Number.POSITIVE_INFINITY
  for (const { openings, next } of contenders) {
    const start = openings.starts[next]
    if (start !== undefined && start < earliest) earliest = start
  }
  return earliest
}
