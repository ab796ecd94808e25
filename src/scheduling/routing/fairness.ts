import type { EffectiveSettings, RoutingMode } from '../../catalogue/services/service.ts'
import type { Assigned } from '../plan/plan.ts'
import { choose } from './routing.ts'

/**
 * One of the providers of which one is chosen for each slot (a pool), with the number of reservations assigned to the
 * provider.
 */
export interface PoolMember {
  readonly rule: EffectiveSettings
  /**
   * All assignments of the provider to the service, not only those of the report's period; the choice of a provider for
   * a slot (routing) compares them.
   */
  readonly assigned: Assigned
  /**
   * The number of the provider's pending and confirmed reservations of the service that begin in the report's period.
   */
  readonly got: number
}

/**
 * The fair share of one member of a pool, the providers of which one is chosen for each slot. Every field but
 * `member` is null for the routing modes that do not aim at a particular division of the reservations (`direct`,
 * `priority` and `collective`).
 */
export interface Portion {
  readonly member: PoolMember
  /** The member's fair share of the pool's reservations, as a fraction from 0 to 1. */
  readonly share: number | null
  /** The member's fair share of the pool's reservations in the report's period, as a number of reservations. */
  readonly expected: number | null
  /**
   * The number of assignments by which the provider is below its share of all assignments ever made (negative when
   * above). The routing mode `weighted` makes up for it; null for other modes.
   */
  readonly due: number | null
}

// How each routing mode, which chooses a provider for each slot, divides reservations. `round_robin`, `least_busy` and
// `random` are even in the long run while all providers are free; `weighted` also makes up for times at which a
// provider was not free.
const shared: Readonly<Record<RoutingMode, 'by weight' | 'evenly' | 'not'>> = {
  direct: 'not',
  round_robin: 'evenly',
  least_busy: 'evenly',
  priority: 'not',
  weighted: 'by weight',
  random: 'evenly',
  collective: 'not',
}

/**
 * Returns the fair share of each member of a pool (the providers of which one is chosen for each slot) under a
 * routing mode, in the order of `members`.
 */
export function portions(mode: RoutingMode, members: readonly PoolMember[]): Portion[] {
  const got = sum(members.map((one) => one.got))
  const counted = sum(members.map(({ assigned }) => assigned.count))
  const weights = sum(members.map(({ rule }) => rule.weight))
  return members.map((member) => {
    if (shared[mode] === 'not') return { member, share: null, expected: null, due: null }
    // As when a provider is chosen for a slot, weights that are all 0 count as equal.
    const weighted = shared[mode] === 'by weight' && weights > 0
    const share = weighted ? member.rule.weight / weights : 1 / members.length
    const due = shared[mode] === 'by weight' ? share * counted - member.assigned.count : null
    return { member, share, expected: share * got, due }
  })
}

/**
 * Returns the id of the provider that would be chosen for the next reservation if all were free; undefined when there
 * is no provider, when the choice depends on the slot, or when the service does not choose the provider itself.
 */
export function nextInLine(mode: RoutingMode, members: readonly PoolMember[]): number | undefined {
  if (mode !== 'round_robin' && mode !== 'weighted' && mode !== 'priority') return undefined
  const candidates = members.map(({ rule, assigned }) => ({ rule, assigned, reserved: () => 0 }))
  return choose(mode, candidates, { bucket: 0, start: 0 })?.rule.providerId
}

function sum(values: readonly number[]): number {
  return values.reduce((one, other) => one + other, 0)
}
