import type { EffectiveSettings, RoutingMode } from '../../catalogue/services/service.ts'
import { type Message, message } from '../../messages/message.ts'
import type { Assignment } from '../../reservations/reservation.ts'
import type { Assigned, Offer } from '../plan/plan.ts'

/** A provider that may be chosen for a slot, with the values that the routing modes compare. */
export interface RoutingCandidate {
  readonly rule: EffectiveSettings
  readonly assigned: Assigned
  /**
   * Returns the total seconds of the provider's reservations, of any service, that start on the local day of `start`.
   */
  reserved(start: number): number
}

/** The start of the slot for which a provider is chosen, and the seed of the routing mode `random` (`bucket`). */
export interface RoutingOccasion {
  readonly bucket: number
  readonly start: number
}

/** The assignments of a provider that has never been assigned. */
export const neverAssigned: Assigned = { count: 0, lastAt: 0, turn: 0 }

/**
 * Picks one of the free providers, which must be in ascending order of ids; undefined when there is none. Ties go to
 * the lowest id. For `direct` and `collective`, the first provider is picked.
 */
export function choose<One extends RoutingCandidate>(
  mode: RoutingMode,
  candidates: readonly One[],
  occasion: RoutingOccasion,
): One | undefined {
  const wins = contests[mode](candidates, occasion)
  let best = candidates[0]
  for (const next of candidates) if (best && wins(next, best)) best = next
  return best
}

/**
 * Returns the assignment to store with a reservation: the routing mode, the eligible providers, the provider that was
 * booked, the one that the routing mode picked, and the reason.
 */
export function assignment({ slot, picked, because }: Offer): Assignment {
  return {
    mode: slot.routingMode,
    eligible: slot.eligibleProviderIds,
    chosen: slot.providerId,
    picked,
    because:
      picked === slot.providerId
        ? because
        : message('assigned_although_listed', { listed: slot.providerId, picked, because }),
  }
}

/** Returns the reason for which a routing mode picked a provider, as a message. */
export function reasonFor(mode: RoutingMode, picked: RoutingCandidate, occasion: RoutingOccasion): Message {
  const { rule, assigned } = picked
  const id = rule.providerId
  switch (mode) {
    case 'direct':
      return message('assigned_direct', { id })
    case 'collective':
      return message('assigned_collective', { id })
    case 'round_robin':
      return assigned.count === 0
        ? message('assigned_never_before', { id })
        : message('assigned_least_recently', { id, time: assigned.lastAt })
    case 'least_busy':
      return message('assigned_least_busy', { id, minutes: picked.reserved(occasion.start) / 60 })
    case 'priority':
      return message('assigned_priority', { id, priority: rule.priority })
    case 'weighted':
      return message('assigned_weighted', { id, weight: rule.weight, count: assigned.count })
    case 'random':
      return message('assigned_random', { id })
  }
}

type Wins = (challenger: RoutingCandidate, best: RoutingCandidate) => boolean

const contests: Record<RoutingMode, (candidates: readonly RoutingCandidate[], occasion: RoutingOccasion) => Wins> = {
  direct: () => () => false,
  collective: () => () => false,
  round_robin: () => (one, best) =>
    one.assigned.lastAt !== best.assigned.lastAt
      ? one.assigned.lastAt < best.assigned.lastAt
      : one.assigned.turn < best.assigned.turn,
  least_busy:
    (_, { start }) =>
    (one, best) =>
      one.reserved(start) < best.reserved(start),
  priority: () => (one, best) => one.rule.priority > best.rule.priority,
  weighted: (candidates) => furthestBelowShare(candidates),
  random: (_, occasion) => (one, best) => lot(one.rule, occasion) > lot(best.rule, occasion),
}

/**
 * Returns a comparison by how far each provider is below its share: `weight / sum of weights - count / sum of counts`.
 * The fractions are compared by cross-multiplication, so that equal differences compare as equal. Before the first
 * assignment the greatest weight wins.
 */
function furthestBelowShare(candidates: readonly RoutingCandidate[]): Wins {
  let counts = 0
  let weights = 0
  for (const { assigned, rule } of candidates) {
    counts += assigned.count
    weights += rule.weight
  }
  const total = Math.max(counts, 1)
  // Providers of weight 0 are picked only if no other is free. When all weights are 0, they count as equal.
  const weightOf = weights === 0 ? () => 1 : ({ rule }: RoutingCandidate) => rule.weight
  const allWeights = weights === 0 ? candidates.length : weights
  const shortfall = (one: RoutingCandidate) => weightOf(one) * total - one.assigned.count * allWeights
  return (one, best) => {
    const [mine, theirs] = [weightOf(one), weightOf(best)]
    if (mine === 0 || theirs === 0) return mine > theirs
    return shortfall(one) > shortfall(best)
  }
}

/** Returns a pseudo-random number that is always the same for one provider, slot and seed (`bucket`). */
function lot({ serviceId, providerId }: EffectiveSettings, { bucket, start }: RoutingOccasion): number {
  let hash = 2_166_136_261
  for (let index = 0; index < serviceId.length; index += 1) hash = mix(hash, serviceId.charCodeAt(index))
  for (const part of [bucket, start, providerId])
    hash = mix(mix(hash, part % 0x1_0000_0000), Math.floor(part / 0x1_0000_0000))
  return scatter(hash)
}

function mix(hash: number, part: number): number {
  return Math.imul(hash ^ part, 16_777_619) ^ (hash >>> 13)
}

function scatter(hash: number): number {
  const half = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b)
  const most = Math.imul(half ^ (half >>> 13), 0xc2b2_ae35)
  return (most ^ (most >>> 16)) >>> 0
}
