import type { Lane } from './lane.ts'
import type { Ledger } from './ledger.ts'
import { secondsWithin } from './limits.ts'
import { type Openings, openingsOf } from './opening.ts'
import type { Plan, Question } from './plan.ts'
import { type Candidate, choose, neverAssigned } from './routing.ts'
import type { RoutingMode } from './service.ts'
import { localDay } from './zone.ts'

/** A provider of a pool with the starts at which it can be booked. */
export interface Contender extends Candidate {
  readonly lane: Lane
  readonly openings: Openings
  /** The first opening not looked at yet. */
  next: number
}

/** One start of a pool: who may take it and whom it is listed under; when it is full nobody is free. */
export interface PoolOpening {
  readonly start: number
  readonly listed: Contender
  readonly free: readonly Contender[]
}

/** The provider of the lane as one who competes for slots. */
export function contender(lane: Lane, plan: Plan, ledger: Ledger, question: Question): Contender {
  const { provider, rule } = lane
  let day = { start: 0, end: 0 }
  let seconds = 0
  return {
    lane,
    openings: openingsOf(lane, plan, ledger, question),
    next: 0,
    rule,
    assigned: plan.assigned.get(`${rule.serviceId}:${provider.id}`) ?? neverAssigned,
    reserved(start) {
      if (start < day.start || start >= day.end) {
        day = localDay(provider.timezone, start)
        seconds = secondsWithin(ledger.ofProvider(provider.id), day)
      }
      return seconds
    },
  }
}

/** Every start that a contender has, rising, each with the rule's pick; contenders share one duration and rise by id. */
export function poolOpenings(plan: Plan, contenders: readonly Contender[], mode: RoutingMode): readonly PoolOpening[] {
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
    listed = choose(mode, free, { bucket: plan.bucket, start }) ?? listed
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
