import { type Message, message } from '../messages/message.ts'
import type { SlotRefusal } from '../messages/refusal.ts'
import type { Assignment } from '../reservations/reservation.ts'
import { explainSlot } from './explain.ts'
import type { CustomerLoad, Offer, Plan, RequestedSlot, RuleName } from './plan/plan.ts'
import { sourceFor } from './rules/rule-case.ts'
import { customerRefusal, type NoOffer, roomFor, roomRules } from './slots.ts'

/** A rule that says no to a slot: one of the slot's own, or that of the customer. */
export interface BrokenRule {
  readonly rule: RuleName | 'customer'
  readonly code: SlotRefusal
  readonly message: Message
  /** Where it is set. */
  readonly setting: string
  /** Whether no override can break the rule. */
  readonly firm: boolean
}

// Room is what a booking is about: two in one place is no exception but a mistake.
const firmRules: readonly RuleName[] = ['occupancy', 'capacity']

/** Every rule that a booking of the slot by this customer would break, in the order of the rules. */
export function brokenRules(
  plan: Plan,
  wanted: RequestedSlot,
  now: number,
  customer?: CustomerLoad,
): readonly BrokenRule[] {
  const service = plan.services.find(({ id }) => id === wanted.serviceId)
  const provider = plan.providers.find(({ id }) => id === wanted.providerId)
  // A collective reservation is stored under its lowest provider and occupies all of them; under another it would not occupy its own.
  const together = !service || !provider || service.settings.routingMode === 'collective'
  const broken = explainSlot(plan, wanted, now).flatMap(({ rule, code, message, setting }): BrokenRule[] =>
    code
      ? [{ rule, code, message, setting, firm: firmRules.includes(rule) || (together && isAboutParties(rule)) }]
      : [],
  )
  const no =
    service &&
    provider &&
    customer &&
    customerRefusal(service, sourceFor(plan, service, provider).provider, wanted, customer)
  if (!no) return broken
  const setting = customer.blocked ? 'customer.status' : 'service.limits.perCustomerDay'
  return [...broken, { rule: 'customer', code: no.no, message: no.message, setting, firm: false }]
}

/** The rules that a reservation would break that has this slot already: only those about room are checked again. */
export function brokenRoom(plan: Plan, wanted: RequestedSlot, now: number): readonly BrokenRule[] {
  return brokenRules(plan, wanted, now).filter(({ rule }) => rule !== 'customer' && roomRules.includes(rule))
}

function isAboutParties(rule: RuleName): boolean {
  return rule === 'provider_eligible'
}

/** A slot that was given against some rules. */
export interface OverrideOffer {
  readonly offer: Offer
  readonly broken: readonly BrokenRule[]
}

/** Offers the slot when capacity allows, with the rules it breaks; otherwise the refusal. */
export function offerWithOverride(
  plan: Plan,
  wanted: RequestedSlot,
  now: number,
  customer: CustomerLoad,
): OverrideOffer | NoOffer {
  return against(brokenRules(plan, wanted, now, customer), plan, wanted, now)
}

/** The same for a reservation that has this slot already. */
export function roomWithOverride(plan: Plan, wanted: RequestedSlot, now: number): OverrideOffer | NoOffer {
  return against(brokenRoom(plan, wanted, now), plan, wanted, now)
}

function against(
  broken: readonly BrokenRule[],
  plan: Plan,
  wanted: RequestedSlot,
  now: number,
): OverrideOffer | NoOffer {
  const firm = broken.find((one) => one.firm)
  if (firm) return { no: firm.code, message: firm.message }
  const offer = roomFor(plan, wanted, now, firmRules)
  return 'no' in offer ? offer : { offer, broken }
}

/** Why a slot was given against rules, and against which. */
export interface RuleOverride {
  readonly reason: string
  readonly rules: readonly BrokenRule['rule'][]
}

/** The offer with the exception that it is for this reason; without one when it breaks no rule after all. */
export function ruleOverrideOf(
  { offer, broken }: OverrideOffer,
  reason: string,
): { readonly offer: Offer; readonly exception: RuleOverride | undefined } {
  const rules = broken.map(({ rule }) => rule)
  return { offer, exception: rules.length === 0 ? undefined : { reason, rules } }
}

/** The exception as history and the feed of events show it, beside the reservation. */
export function shownRuleOverride(exception: RuleOverride | undefined): { readonly override?: RuleOverride } {
  return exception ? { override: exception } : {}
}

/** The assignment of a reservation booked against rules: its provider was named, not picked. */
export function assignedByOverride({ slot: { providerId } }: Offer, { rules }: RuleOverride): Assignment {
  const because = message('assigned_with_override', { rules })
  return { mode: 'direct', eligible: [providerId], chosen: providerId, picked: providerId, because }
}
