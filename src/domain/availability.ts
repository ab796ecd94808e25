import type { Interval } from './interval.ts'
import { type Case, caseOf, judge, overLimit, ruleNames } from './judge.ts'
import { type Lane, lanesOf, type Member } from './lane.ts'
import { type Ledger, ledgerOf } from './ledger.ts'
import { brokenCustomerLimit } from './limits.ts'
import { type Openings, openingsOf } from './opening.ts'
import type { CustomerLoad, Offer, Plan, Question, RuleName, Slot, Wanted } from './plan.ts'
import { type Contender, contender, type PoolOpening, poolOpenings } from './pool.ts'
import type { Provider } from './provider.ts'
import type { SlotRefusal } from './refusal.ts'
import { choose, reasonFor } from './routing.ts'
import { noOverrides } from './schedule.ts'
import type { Rule, Service } from './service.ts'
import { listed, merged, type SlotList } from './slot-list.ts'
import { dayLength, type OpenLane, steadyDays } from './steady.ts'

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
export { countsEverybody, planReach } from './reach.ts'
export { type SlotList, slotsOf } from './slot-list.ts'

/** Why a slot cannot be given: the first rule that says no, and its sentence. */
export interface NoOffer {
  readonly no: SlotRefusal
  readonly sentence: string
}

/** Every slot of the plan's services that the question asks for, by start, then service id, then provider id. */
export function openSlots(plan: Plan, question: Question): SlotList {
  return merged(openLanes(plan, question).flatMap(listsOf))
}

/** Some days of UTC. */
export interface Days {
  readonly firstDay: number
  readonly days: number
  readonly now: number
  /** Providers to list for; undefined is all. */
  readonly providerIds?: ReadonlySet<number>
}

/** Every slot of some days, as `openSlots` has them, with the stretch around `now` in which each day's stay the same. */
export function slotsOfDays(
  plan: Plan,
  asked: Days,
): { readonly slots: SlotList; readonly steady: readonly Interval[] } {
  const from = asked.firstDay * dayLength
  const open = openLanes(plan, { ...asked, from, until: from + asked.days * dayLength })
  return {
    slots: merged(open.flatMap(listsOf)),
    steady: steadyDays(
      open.flatMap(({ lanes }) => lanes),
      asked,
    ),
  }
}

/**
 * The slot if it may be taken now, or why not. Of a pool any provider who is free for it may be named. A customer who is
 * blocked or has reached the service's own limit is refused when one is given.
 */
export function offeredSlot(plan: Plan, wanted: Wanted, now: number, customer?: CustomerLoad): Offer | NoOffer {
  const ledger = ledgerOf(plan.booked)
  const about = caseOf(plan, ledger, wanted, now)
  if (!about) return unknown(plan, wanted)
  return (
    firstNo(about, ['service_active']) ??
    (customer?.blocked ? customerBlocked : undefined) ??
    firstNo(about, ruleNames) ??
    (customer && unwelcome(about.service, about.lane.provider, wanted, customer)) ??
    offer(about, ledger)
  )
}

/** The first of the rules that says no, if any does. */
function firstNo(about: Case, rules: readonly RuleName[]): NoOffer | undefined {
  for (const rule of rules) {
    const { code, sentence } = judge(rule, about)
    if (code) return { no: code, sentence }
  }
  return undefined
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
  const no = firstNo(about, roomRules)
  if (no) return no
  const offered = offer(about, ledger)
  // As long as it was given, whatever the service takes by now.
  return { ...offered, slot: { ...offered.slot, end: wanted.end } }
}

/** The slot of a case that every rule agrees to. */
function offer({ plan, lane, wanted, now, overrides }: Case, ledger: Ledger): Offer {
  const mode = lane.service.settings.routingMode
  const moment = { from: wanted.start, until: wanted.start + 1, now }
  const self = contender(lane, plan, ledger, moment)
  const free = isPool(lane.service) ? rivals(lane, plan, ledger, moment) : [self]
  const occasion = { bucket: plan.bucket, start: wanted.start }
  const picked = choose(mode, free, occasion) ?? self
  const eligible = mode === 'collective' ? idsOf(lane) : free.map(({ rule }) => rule.providerId)
  const seated = (rule: Rule) => ({ ...rule, capacity: overrides.capacity ?? rule.capacity })
  return {
    slot: slotMaker(lane, self.openings)(wanted.start, eligible),
    rule: seated(lane.rule),
    occupies: lane.members.map(({ rule }) => seated(rule)),
    picked: picked.rule.providerId,
    because: reasonFor(mode, picked, occasion),
  }
}

/** Who of a pool is free at one moment for a slot as long as the lane's. */
function rivals(lane: Lane, plan: Plan, ledger: Ledger, moment: Question): readonly Contender[] {
  return lanesOf(plan, lane.service)
    .filter(({ rule }) => rule.duration === lane.rule.duration)
    .map((rival) => contender(rival, plan, ledger, moment))
    .filter(({ openings: { starts, full } }) => starts.length > full.size)
}

/** A service with its open lanes; a pool's compete with each other. */
type OpenService =
  | { readonly lanes: readonly OpenLane[]; readonly pool?: never }
  | { readonly lanes: readonly Contender[]; readonly pool: { readonly plan: Plan; readonly service: Service } }

/** Every service that can be booked, by id. */
function openLanes(plan: Plan, question: Question): readonly OpenService[] {
  const ledger = ledgerOf(plan.booked)
  const services = plan.services.filter(({ settings }) => settings.active)
  services.sort((one, other) => (one.id < other.id ? -1 : 1))
  const named = ({ provider }: Member) => question.providerIds?.has(provider.id) ?? true
  return services.map((service) => {
    const lanes = lanesOf(plan, service).filter(({ members }) => members.some(named))
    return isPool(service)
      ? { lanes: lanes.map((lane) => contender(lane, plan, ledger, question)), pool: { plan, service } }
      : { lanes: lanes.map((lane) => ({ lane, openings: openingsOf(lane, plan, ledger, question) })) }
  })
}

/** The service's slots, in the order of the contract at equal starts. */
function listsOf({ lanes, pool }: OpenService): readonly SlotList[] {
  if (!pool) return lanes.map(laneSlots)
  const durations = new Set(lanes.map(({ rule }) => rule.duration))
  const slots = [...durations].map((duration) =>
    poolOpenings(
      pool.plan,
      lanes.filter(({ rule }) => rule.duration === duration),
      pool.service.settings.routingMode,
    ).map(poolSlot),
  )
  // Slots of unequal length may start together; each is then listed under another provider.
  return [listed(slots.flat().sort((one, other) => one.start - other.start || one.providerId - other.providerId))]
}

function laneSlots({ lane, openings }: OpenLane): SlotList {
  const eligible = idsOf(lane)
  const { starts } = openings
  const slot = slotMaker(lane, openings)
  return { starts, slotAt: (index) => slot(starts[index] ?? 0, eligible) }
}

function poolSlot({ start, listed, free }: PoolOpening): Slot {
  const eligible = free.map(({ rule }) => rule.providerId)
  return slotMaker(listed.lane, listed.openings)(start, eligible)
}

/** Makes slots of the lane's openings. What all have in common is looked up once: there may be thousands. */
function slotMaker({ rule, service }: Lane, { full, reserved, overrides }: Openings) {
  const { serviceId, providerId, duration } = rule
  const { routingMode } = service.settings
  const plain = full.size + reserved.size + overrides.size === 0
  return (start: number, eligible: readonly number[]): Slot => ({
    serviceId,
    providerId,
    start,
    end: start + duration,
    bookable: plain || !full.has(start),
    routingMode,
    eligibleProviderIds: eligible,
    reservationsCount: plain ? 0 : (reserved.get(start) ?? 0),
    overrides: plain ? noOverrides : (overrides.get(start) ?? noOverrides),
  })
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
