import { type Message, message } from '../messages/message.ts'
import type { SlotRefusal } from '../messages/refusal.ts'
import type { Assignment } from '../reservations/reservation.ts'
import { explainSlot } from './explain.ts'
import { timesOf } from './listing/slot-source.ts'
import { firstWithin, seatsOf } from './plan/occupancy.ts'
import type { CustomerLoad, Offer, Plan, RequestedSlot, RuleName } from './plan/plan.ts'
import { neededTime } from './rules/conflicts.ts'
import { sourceFor } from './rules/rule-case.ts'
import { customerRefusal, type NoOffer, roomFor, roomRules } from './slots.ts'

/** A rule that refuses a slot, for every customer or for the customer who is booking. */
export interface BrokenRule {
  readonly rule: RuleName | 'customer'
  readonly code: SlotRefusal
  readonly message: Message
  /** The path of the setting because of which the rule refuses the slot, such as `provider.weekly.mon`. */
  readonly setting: string
  /** Whether the rule cannot be overridden by staff. */
  readonly firm: boolean
  /** Whether staff can break the rule by a deliberate double booking, which `OverrideIntent` must request. */
  readonly doubles: boolean
}

// These rules about free time and seats cannot be overridden, except by a deliberate double booking where the provider
// allows it.
const firmRules: readonly RuleName[] = ['occupancy', 'capacity']

/**
 * Returns every rule that a booking of the slot would break, in the order of `rules`; a refusal of the customer comes
 * last, under the name `customer`.
 */
export function brokenRules(
  plan: Plan,
  wanted: RequestedSlot,
  now: number,
  customer?: CustomerLoad,
): readonly BrokenRule[] {
  const service = plan.services.find(({ id }) => id === wanted.serviceId)
  const provider = plan.providers.find(({ id }) => id === wanted.providerId)
  // Staff cannot override `provider_eligible` if the service or provider is missing, nor for a collective service,
  // whose reservations occupy all members and are stored under the one with the lowest id, whichever provider is
  // requested.
  const together = !service || !provider || service.settings.routingMode === 'collective'
  const doubling = doubledSeat(plan, wanted) !== undefined
  const broken = explainSlot(plan, wanted, now).flatMap(({ rule, code, message, setting }): BrokenRule[] => {
    if (!code) return []
    const aboutRoom = firmRules.includes(rule)
    const firm = aboutRoom ? !doubling : together && isAboutParties(rule)
    return [{ rule, code, message, setting, firm, doubles: aboutRoom && doubling }]
  })
  const no =
    service &&
    provider &&
    customer &&
    customerRefusal(service, sourceFor(plan, service, provider).provider, wanted, customer)
  if (!no) return broken
  const setting = customer.blocked ? 'customer.status' : 'service.limits.perCustomerDay'
  return [...broken, { rule: 'customer', code: no.no, message: no.message, setting, firm: false, doubles: false }]
}

/**
 * The seat of a deliberate double booking: `above_capacity` is a seat of the slot itself, whatever its capacity;
 * `overflow` is one on the provider's overflow, a resource for bookings that overlap a different slot.
 */
export type DoubledSeat = 'above_capacity' | 'overflow'

/**
 * Returns the seat for a deliberate double booking of the slot. Undefined for a collective service (with several
 * providers together), when the provider does not allow double bookings, and when the time is taken both by a different
 * slot and by a double booking on the overflow, the provider's resource for double bookings.
 */
function doubledSeat(plan: Plan, wanted: RequestedSlot): DoubledSeat | undefined {
  const service = plan.services.find(({ id }) => id === wanted.serviceId)
  const provider = plan.providers.find(({ id }) => id === wanted.providerId)
  if (!service || !provider?.doubleBooking || service.settings.routingMode === 'collective') return undefined
  const [member] = sourceFor(plan, service, provider).members
  if (!member) return undefined
  const { occupied, blocked } = timesOf(member, plan)
  const time = neededTime(member, wanted)
  // If only the overflow (the provider's resource for double bookings) is occupied, the provider's own time is free and
  // the booking needs no second overflow seat.
  if (seatsOf(occupied, wanted) > 0 || !firstWithin(occupied, time)) return 'above_capacity'
  return firstWithin(blocked, time, 'overflow') ? undefined : 'overflow'
}

/**
 * Returns the rules that a reservation breaks by taking a seat in the slot that it already has. Only the rules about
 * time off, calendars, occupancy and capacity (`roomRules`) are checked.
 */
export function brokenRoom(plan: Plan, wanted: RequestedSlot, now: number): readonly BrokenRule[] {
  return brokenRules(plan, wanted, now).filter(({ rule }) => rule !== 'customer' && roomRules.includes(rule))
}

function isAboutParties(rule: RuleName): boolean {
  return rule === 'provider_eligible'
}

/** An offered slot with the rules that it breaks. */
export interface OverrideOffer {
  readonly offer: Offer
  readonly broken: readonly BrokenRule[]
  /** The seat of a deliberate double booking; undefined when the offer is not a double booking. */
  readonly doubled?: DoubledSeat | undefined
}

/** The exceptions that staff request when they book against scheduling rules. */
export interface OverrideIntent {
  /**
   * Whether the provider's time may be booked twice; ignored if the provider forbids it, and for a collective service.
   */
  readonly doubleBook: boolean
}

/**
 * Returns an offer (the slot with the providers that it occupies) with the rules that the slot breaks; returns a
 * refusal when one of them cannot be overridden, or requires a double booking that `intent` does not request.
 */
export function offerWithOverride(
  plan: Plan,
  wanted: RequestedSlot,
  now: number,
  customer: CustomerLoad,
  intent: OverrideIntent,
): OverrideOffer | NoOffer {
  return against(brokenRules(plan, wanted, now, customer), { plan, wanted, now, intent })
}

/**
 * Returns an offer of the slot that a reservation already has, with the rules that it breaks, or a refusal when one of
 * them cannot be overridden or requires a double booking that `intent` does not request. Only the rules about time off,
 * calendars, occupancy and capacity (`roomRules`) are checked.
 */
export function roomWithOverride(
  plan: Plan,
  wanted: RequestedSlot,
  now: number,
  intent: OverrideIntent,
): OverrideOffer | NoOffer {
  return against(brokenRoom(plan, wanted, now), { plan, wanted, now, intent })
}

interface Against {
  readonly plan: Plan
  readonly wanted: RequestedSlot
  readonly now: number
  readonly intent: OverrideIntent
}

function against(broken: readonly BrokenRule[], { plan, wanted, now, intent }: Against): OverrideOffer | NoOffer {
  const firm = broken.find((one) => one.firm || (one.doubles && !intent.doubleBook))
  if (firm) return { no: firm.code, message: firm.message }
  const doubles = broken.some((one) => one.doubles)
  const offer = roomFor(plan, wanted, now, doubles ? [] : firmRules)
  return 'no' in offer ? offer : { offer, broken, ...(doubles && { doubled: doubledSeat(plan, wanted) }) }
}

/** The reason that staff gave for a booking that breaks rules, and the broken rules. */
export interface RuleOverride {
  readonly reason: string
  readonly rules: readonly BrokenRule['rule'][]
}

/**
 * Returns the parts of `OverrideOffer` that are stored: `offer` and `doubled` as given, and in `exception` the broken
 * rules with the reason of staff (undefined if no rule is broken).
 */
export function ruleOverrideOf(
  { offer, broken, doubled }: OverrideOffer,
  reason: string,
): {
  readonly offer: Offer
  readonly exception: RuleOverride | undefined
  readonly doubled: DoubledSeat | undefined
} {
  const rules = broken.map(({ rule }) => rule)
  return { offer, exception: rules.length === 0 ? undefined : { reason, rules }, doubled }
}

/** Returns the `override` field of a reservation in the event log; an empty object when no rule was overridden. */
export function shownRuleOverride(exception: RuleOverride | undefined): { readonly override?: RuleOverride } {
  return exception ? { override: exception } : {}
}

/**
 * Returns the assignment of a reservation that breaks rules: staff chose the provider, so the service's routing did not
 * pick one.
 */
export function assignedByOverride({ slot: { providerId } }: Offer, { rules }: RuleOverride): Assignment {
  const because = message('assigned_with_override', { rules })
  return { mode: 'direct', eligible: [providerId], chosen: providerId, picked: providerId, because }
}
