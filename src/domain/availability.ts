import { type Case, caseOf, judge, overLimit, ruleNames } from './judge.ts'
import { type Lane, lanesOf, limitsOf } from './lane.ts'
import { type Ledger, ledgerOf, slotCounter } from './ledger.ts'
import { brokenCustomerLimit } from './limits.ts'
import { openingsOf } from './opening.ts'
import type { CustomerLoad, Offer, Plan, Question, RuleName, Slot, Wanted } from './plan.ts'
import { type Contender, contender, poolOpenings } from './pool.ts'
import type { Provider, SlotOverrides } from './provider.ts'
import type { SlotRefusal } from './refusal.ts'
import { choose, reasonFor } from './routing.ts'
import type { Rule, Service } from './service.ts'

export type {
  Assigned,
  Booked,
  CustomerLoad,
  Offer,
  Plan,
  Question,
  RuleName,
  Slot,
  Verdict,
  Wanted,
} from './plan.ts'
export { planReach } from './reach.ts'

/** Why a slot cannot be given: the first rule that says no, and its sentence. */
export interface NoOffer {
  readonly no: SlotRefusal
  readonly sentence: string
}

/** Every slot of the plan's services that the question asks for, by start, then service id, then provider id. */
export function openSlots(plan: Plan, question: Question): Slot[] {
  const ledger = ledgerOf(plan.booked)
  const services = plan.services.filter(({ settings }) => settings.active)
  services.sort((one, other) => (one.id < other.id ? -1 : 1))
  return mergeByStart(services.flatMap((service) => slotLists(plan, ledger, service, question)))
}

/**
 * The slot if it may be taken now, or why not. Of a pool any provider who is free for it may be named. A customer who is
 * blocked or has reached the service's own limit is refused when one is given.
 */
export function offeredSlot(plan: Plan, wanted: Wanted, now: number, customer?: CustomerLoad): Offer | NoOffer {
  const ledger = ledgerOf(plan.booked)
  const about = caseOf(plan, ledger, wanted, now)
  if (!about) return unknown(plan, wanted)
  for (const rule of ruleNames) {
    const verdict = judge(rule, about)
    if (verdict.code) return { no: verdict.code, sentence: verdict.sentence }
    if (rule === 'service_active' && customer?.blocked) return customerBlocked
  }
  return (customer && unwelcome(about.service, about.lane.provider, wanted, customer)) ?? offer(about, ledger)
}

const customerBlocked: NoOffer = {
  no: 'customer_blocked',
  sentence: 'This customer may not be given new reservations.',
}

/** Why this customer may not have the slot, whoever else may: blocked, or at the service's own limit a day. */
export function unwelcome(
  service: Service,
  { timezone }: Provider,
  wanted: Wanted,
  customer: CustomerLoad,
): NoOffer | undefined {
  if (customer.blocked) return customerBlocked
  const broken = brokenCustomerLimit(service.settings.limits, timezone, wanted, customer)
  return broken && { no: 'slot_limit', sentence: overLimit(broken).sentence }
}

/** Whatever is in a provider's time already: what a reservation that has its slot but no seat yet must not meet. */
const roomRules: readonly RuleName[] = ['time_off', 'calendar', 'occupancy', 'capacity']

/** The slot if there is room for it, or why not; opening hours, lead time, horizon and limits are not asked. */
export function roomFor(plan: Plan, wanted: Wanted, now: number): Offer | NoOffer {
  const ledger = ledgerOf(plan.booked)
  const about = caseOf(plan, ledger, wanted, now)
  if (!about) return unknown(plan, wanted)
  for (const rule of roomRules) {
    const verdict = judge(rule, about)
    if (verdict.code) return { no: verdict.code, sentence: verdict.sentence }
  }
  return offer(about, ledger)
}

/** The slot of a case that every rule agrees to. */
function offer(about: Case, ledger: Ledger): Offer {
  const { plan, service, lane, wanted, now, overrides } = about
  const mode = service.settings.routingMode
  const free = contenders(plan, ledger, service, rivals(about), {
    from: wanted.start,
    until: wanted.start + 1,
    now,
  }).filter(({ openings }) => openings.full[0] === false)
  const occasion = { bucket: plan.bucket, start: wanted.start }
  const self = contender(plan, lane, { starts: [], overrides: [], full: [] }, ledger)
  const picked = choose(mode, free, occasion) ?? self
  const eligible = mode === 'collective' ? idsOf(lane) : free.map(({ rule }) => rule.providerId)
  const seated = (rule: Rule) => ({ ...rule, capacity: overrides.capacity ?? rule.capacity })
  return {
    slot: slotMaker(lane, service, ledger)(wanted.start, true, eligible, overrides),
    rule: seated(lane.rule),
    occupies: lane.members.map(({ rule }) => seated(rule)),
    picked: picked.rule.providerId,
    because: reasonFor(mode, picked, occasion),
  }
}

/** Who else could take the slot: in a pool all whose own rule gives it the same length. */
function rivals({ plan, service, lane }: Case): readonly Lane[] {
  if (!isPool(service)) return [lane]
  return lanesOf(plan, service).filter(({ rule }) => rule.duration === lane.rule.duration)
}

/** The service's slots as lists that rise by start, in the order of the contract at equal starts. */
function slotLists(plan: Plan, ledger: Ledger, service: Service, question: Question): Slot[][] {
  const named = (provider: Provider) => question.providerIds?.has(provider.id) ?? true
  const lanes = lanesOf(plan, service).filter(({ members }) => members.some(({ provider }) => named(provider)))
  if (!isPool(service)) return lanes.map((lane) => laneSlots(plan, ledger, service, lane, question))
  const all = contenders(plan, ledger, service, lanes, question)
  const durations = new Set(all.map(({ rule }) => rule.duration))
  const slots = [...durations].map((duration) =>
    poolSlots(
      plan,
      ledger,
      service,
      all.filter(({ rule }) => rule.duration === duration),
    ),
  )
  // Slots of unequal length may start together; each is then listed under another provider.
  if (slots.length < 2) return slots
  return [slots.flat().sort((one, other) => one.start - other.start || one.providerId - other.providerId)]
}

function laneSlots(plan: Plan, ledger: Ledger, service: Service, lane: Lane, question: Question): Slot[] {
  const { starts, overrides, full } = openingsOf(lane, plan, question, limitsOf(lane, service, ledger))
  const make = slotMaker(lane, service, ledger)
  const eligible = idsOf(lane)
  return starts.map((start, index) => make(start, !full[index], eligible, overrides[index] ?? {}))
}

function poolSlots(plan: Plan, ledger: Ledger, service: Service, rivals: readonly Contender[]): Slot[] {
  const makers = new Map(rivals.map((one) => [one, slotMaker(one.lane, service, ledger)]))
  const slots: Slot[] = []
  for (const { start, listed, free, overrides } of poolOpenings(plan, rivals, service.settings.routingMode)) {
    const ids = free.map(({ rule }) => rule.providerId)
    const slot = makers.get(listed)?.(start, ids.length > 0, ids, overrides)
    if (slot) slots.push(slot)
  }
  return slots
}

/** Makes slots of one lane whose starts rise. */
function slotMaker(lane: Lane, { id, settings }: Service, ledger: Ledger) {
  const { providerId, duration } = lane.rule
  const countOf = slotCounter(ledger.ofBoth(id, providerId))
  return (start: number, bookable: boolean, eligible: readonly number[], overrides: SlotOverrides): Slot => ({
    serviceId: id,
    providerId,
    start,
    end: start + duration,
    bookable,
    routingMode: settings.routingMode,
    eligibleProviderIds: eligible,
    reservationsCount: countOf(start, start + duration),
    overrides,
  })
}

function contenders(
  plan: Plan,
  ledger: Ledger,
  service: Service,
  lanes: readonly Lane[],
  question: Question,
): readonly Contender[] {
  return lanes.map((lane) =>
    contender(plan, lane, openingsOf(lane, plan, question, limitsOf(lane, service, ledger)), ledger),
  )
}

function isPool({ settings: { routingMode } }: Service): boolean {
  return routingMode !== 'direct' && routingMode !== 'collective'
}

function idsOf({ members }: Lane): readonly number[] {
  return members.map(({ provider }) => provider.id)
}

function unknown(plan: Plan, { serviceId }: Wanted): NoOffer {
  return plan.services.some(({ id }) => id === serviceId)
    ? { no: 'provider_not_eligible', sentence: 'There is no such provider.' }
    : { no: 'service_inactive', sentence: 'There is no such service.' }
}

/** One list of lists that rise by start; at equal starts, earlier lists come first. */
function mergeByStart(lists: readonly Slot[][]): Slot[] {
  let round = lists
  while (round.length > 1) {
    const merged: Slot[][] = []
    for (let index = 0; index < round.length; index += 2)
      merged.push(mergeTwo(round[index] ?? [], round[index + 1] ?? []))
    round = merged
  }
  return round[0] ?? []
}

function mergeTwo(first: Slot[], second: Slot[]): Slot[] {
  if (first.length === 0) return second
  if (second.length === 0) return first
  const merged: Slot[] = []
  let next = 0
  for (const slot of first) {
    for (let earlier = second[next]; earlier && earlier.start < slot.start; earlier = second[++next])
      merged.push(earlier)
    merged.push(slot)
  }
  for (let rest = second[next]; rest; rest = second[++next]) merged.push(rest)
  return merged
}
