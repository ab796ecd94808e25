import type { EffectiveSettings, RoutingMode } from '../../catalogue/services/service.ts'
import type { Assigned } from '../plan/plan.ts'
import { choose } from './routing.ts'

/** A provider of a pool, with its assignments. */
export interface PoolMember {
  readonly rule: EffectiveSettings
  /** As the routing counts it: since the beginning. */
  readonly assigned: Assigned
  /** How many reservations of the period looked at. */
  readonly got: number
}

/** What one of them should have had; null where the way of choosing promises no shares. */
export interface Portion {
  readonly member: PoolMember
  /** Of 1. */
  readonly share: number | null
  /** Of the reservations of the period. */
  readonly expected: number | null
  /** How many fewer than the share of all assignments since the beginning: what the routing makes up for. */
  readonly due: number | null
}

// In turn, least busy and by chance are even in the long run as far as everybody is free; only weights are made up for.
const shared: Readonly<Record<RoutingMode, 'by weight' | 'evenly' | 'not'>> = {
  direct: 'not',
  round_robin: 'evenly',
  least_busy: 'evenly',
  priority: 'not',
  weighted: 'by weight',
  random: 'evenly',
  collective: 'not',
}

/** The expected share of each member in all reservations of the members. */
export function portions(mode: RoutingMode, members: readonly PoolMember[]): Portion[] {
  const got = sum(members.map((one) => one.got))
  const counted = sum(members.map(({ assigned }) => assigned.count))
  const weights = sum(members.map(({ rule }) => rule.weight))
  return members.map((member) => {
    if (shared[mode] === 'not') return { member, share: null, expected: null, due: null }
    // As the routing has it: all weights 0 are all the same.
    const weighted = shared[mode] === 'by weight' && weights > 0
    const share = weighted ? member.rule.weight / weights : 1 / members.length
    const due = shared[mode] === 'by weight' ? share * counted - member.assigned.count : null
    return { member, share, expected: share * got, due }
  })
}

/** Whom the rule would pick if all were free; undefined where that is another for each slot, or where none is picked. */
export function nextInLine(mode: RoutingMode, members: readonly PoolMember[]): number | undefined {
  if (mode !== 'round_robin' && mode !== 'weighted' && mode !== 'priority') return undefined
  const candidates = members.map(({ rule, assigned }) => ({ rule, assigned, reserved: () => 0 }))
  return choose(mode, candidates, { bucket: 0, start: 0 })?.rule.providerId
}

function sum(values: readonly number[]): number {
  return values.reduce((one, other) => one + other, 0)
}
