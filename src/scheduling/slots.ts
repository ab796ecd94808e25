import type { Provider } from '../catalogue/providers/provider.ts'
import type { EffectiveSettings, Service } from '../catalogue/services/service.ts'
import type { SlotRefusal } from '../messages/refusal.ts'
import { type Openings, openingsAt, openingsOf } from './listing/openings.ts'
import { mergedSlots, type SlotList, slotListOf } from './listing/slot-list.ts'
import { type SlotSource, type SourceMember, slotSourcesOf } from './listing/slot-source.ts'
import { type OpenSource, validityOfDay } from './listing/validity.ts'
import { noOverrides } from './opening-hours.ts'
import { type BookingIndex, bookingIndexOf } from './plan/booking-index.ts'
import type { CustomerLoad, Offer, Plan, RequestedSlot, RuleName, Slot, SlotWindow } from './plan/plan.ts'
import { type Contender, candidateOf, contender, type PoolOpening, poolOpenings, type Routing } from './routing/pool.ts'
import { choose, type RoutingCandidate, reasonFor } from './routing/routing.ts'
import { brokenCustomerLimit } from './rules/limits.ts'
import { caseOf, limitVerdict, type RuleCase, ruleNames, verdictOf } from './rules/verdict.ts'
import type { Interval } from './time/interval.ts'

export { type Openings, openingsWithin, timelessOpenings as openingsEver } from './listing/openings.ts'
export { type SlotList, slotsOf } from './listing/slot-list.ts'
export type { SlotSource as Lane } from './listing/slot-source.ts'
export { bookingIndexOf as ledgerOf } from './plan/booking-index.ts'
export type {
  Assigned,
  Booked,
  CustomerLoad,
  Offer,
  Plan,
  RequestedSlot as Wanted,
  RuleName,
  RuleVerdict as Verdict,
  Slot,
  SlotWindow as Question,
} from './plan/plan.ts'
export { countsAllProviders as countsEverybody, planReach } from './plan/reach.ts'

/** Why a slot cannot be given: the first rule that says no, and its sentence. */
export interface NoOffer {
  readonly no: SlotRefusal
  readonly sentence: string
}

/** Every slot of the plan's services that the question asks for, by start, then service id, then provider id. */
export function openSlots(plan: Plan, question: SlotWindow): SlotList {
  const ledger = bookingIndexOf(plan.booked)
  const lists = listedSources(plan, question.providerIds).flatMap((of) => {
    const open = of.lanes.map((lane) => ({ lane, openings: openingsOf(lane, plan, ledger, question) }))
    return slotLists(of, open, poolOf(of, { ...plan, ledger }))
  })
  return mergedSlots(lists)
}

/** A service that can be booked, with the lanes in which slots of it are listed, by provider. */
export interface ServiceSources {
  readonly service: Service
  readonly lanes: readonly SlotSource[]
}

/** Every service that can be booked, by id; of some providers only, where they are named. */
export function listedSources(
  { services, providers }: Pick<Plan, 'services' | 'providers'>,
  providerIds?: ReadonlySet<number>,
): readonly ServiceSources[] {
  const named = ({ provider }: SourceMember) => providerIds?.has(provider.id) ?? true
  return services
    .filter(({ settings }) => settings.active)
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .map((service) => ({
      service,
      lanes: slotSourcesOf({ providers }, service).filter(({ members }) => members.some(named)),
    }))
}

/** The slots of a day of UTC, and the stretch around `now` in which none of them comes or goes by itself. */
export interface DaySlots {
  readonly slots: SlotList
  readonly steady: Interval
}

/** Lists days as `openSlots` has them, from what all lanes ever have open on a day, in the order of the lanes. */
export function dayLister(
  services: readonly ServiceSources[],
  routing: Routing,
  now: number,
): (day: number, ever: readonly (Openings | undefined)[]) => DaySlots {
  const pools = services.map((of) => poolOf(of, routing))
  return (day, ever) => {
    const lists: SlotList[] = []
    const all: OpenSource[] = []
    for (const [index, of] of services.entries()) {
      const open: OpenSource[] = []
      for (const lane of of.lanes) {
        const own = ever[all.length]
        // Never guess: what is not known is not open.
        if (!own) throw new RangeError('What a lane has open is not known.')
        const one = { lane, openings: openingsAt(own, lane.rule, now) }
        open.push(one)
        all.push(one)
      }
      lists.push(...slotLists(of, open, pools[index]))
    }
    return { slots: mergedSlots(lists), steady: validityOfDay(all, day, now) }
  }
}

/**
 * The slot if it may be taken now, or why not. Of a pool any provider who is free for it may be named. A customer who is
 * blocked or has reached the service's own limit is refused when one is given.
 */
export function offeredSlot(plan: Plan, wanted: RequestedSlot, now: number, customer?: CustomerLoad): Offer | NoOffer {
  const ledger = bookingIndexOf(plan.booked)
  const about = caseOf(plan, ledger, wanted, now)
  if (!about) return unknown(plan, wanted)
  return (
    firstNo(about, ['service_active']) ??
    (customer?.blocked ? customerBlocked : undefined) ??
    firstNo(about, ruleNames) ??
    (customer && customerRefusal(about.service, about.lane.provider, wanted, customer)) ??
    offer(about, ledger)
  )
}

/** The first of the rules that says no, if any does. */
function firstNo(about: RuleCase, rules: readonly RuleName[]): NoOffer | undefined {
  for (const rule of rules) {
    const { code, sentence } = verdictOf(rule, about)
    if (code) return { no: code, sentence }
  }
  return undefined
}

const customerBlocked: NoOffer = {
  no: 'customer_blocked',
  sentence: 'This customer may not be given new reservations.',
}

/** Why this customer may not have the slot, whoever else may: blocked, or at the service's own limit a day. */
export function customerRefusal(
  service: Service,
  { timezone }: Provider,
  wanted: RequestedSlot,
  customer: CustomerLoad,
): NoOffer | undefined {
  if (customer.blocked) return customerBlocked
  const broken = brokenCustomerLimit(service.settings.limits, timezone, wanted, customer)
  return broken && { no: 'slot_limit', sentence: limitVerdict(broken).sentence }
}

/** Whatever is in a provider's time already: what a reservation that has its slot but no seat yet must not meet. */
export const roomRules: readonly RuleName[] = ['time_off', 'calendar', 'occupancy', 'capacity']

/** The slot if there is room for it, or why not; opening hours, lead time, horizon and limits are not asked. */
export function roomFor(
  plan: Plan,
  wanted: RequestedSlot,
  now: number,
  rules: readonly RuleName[] = roomRules,
): Offer | NoOffer {
  const ledger = bookingIndexOf(plan.booked)
  const about = caseOf(plan, ledger, wanted, now)
  if (!about) return unknown(plan, wanted)
  const no = firstNo(about, rules)
  if (no) return no
  const offered = offer(about, ledger)
  // As long as it was given, whatever the service takes by now.
  return { ...offered, slot: { ...offered.slot, end: wanted.end } }
}

/** The slot of a case that every rule agrees to. */
function offer({ plan, lane, wanted, now, overrides }: RuleCase, ledger: BookingIndex): Offer {
  const mode = lane.service.settings.routingMode
  const moment = { from: wanted.start, until: wanted.start + 1, now }
  const self = contenderAt(lane, plan, ledger, moment)
  const free = isPool(lane.service) ? rivals(lane, plan, ledger, moment) : [self]
  const occasion = { bucket: plan.bucket, start: wanted.start }
  const picked = choose(mode, free, occasion) ?? self
  const eligible = mode === 'collective' ? lane.eligible : free.map(({ rule }) => rule.providerId)
  const seated = (rule: EffectiveSettings) => ({ ...rule, capacity: overrides.capacity ?? rule.capacity })
  return {
    slot: slotMaker(lane, self.openings)(wanted.start, eligible),
    rule: seated(lane.rule),
    occupies: lane.members.map(({ rule }) => seated(rule)),
    picked: picked.rule.providerId,
    because: reasonFor(mode, picked, occasion),
  }
}

/** Who of a pool is free at one moment for a slot as long as the lane's. */
function rivals(lane: SlotSource, plan: Plan, ledger: BookingIndex, moment: SlotWindow): readonly Contender[] {
  return slotSourcesOf(plan, lane.service)
    .filter(({ rule }) => rule.duration === lane.rule.duration)
    .map((rival) => contenderAt(rival, plan, ledger, moment))
    .filter(({ openings: { starts, full } }) => starts.length > full.size)
}

function contenderAt(lane: SlotSource, plan: Plan, ledger: BookingIndex, moment: SlotWindow): Contender {
  const openings = openingsOf(lane, plan, ledger, moment)
  return contender({ lane, openings }, candidateOf(lane, { ...plan, ledger }))
}

/** Those among whom a service's slots are shared out, in the order of its lanes. */
interface Pool {
  readonly candidates: readonly RoutingCandidate[]
  readonly bucket: number
}

function poolOf({ service, lanes }: ServiceSources, routing: Routing): Pool | undefined {
  if (!isPool(service)) return undefined
  return { candidates: lanes.map((lane) => candidateOf(lane, routing)), bucket: routing.bucket }
}

/** The slots of a service's open lanes, in the order of the contract at equal starts. */
function slotLists(
  { service }: ServiceSources,
  open: readonly OpenSource[],
  pool: Pool | undefined,
): readonly SlotList[] {
  if (!pool) return open.map(laneSlots)
  const contenders: Contender[] = []
  for (const [index, candidate] of pool.candidates.entries()) {
    const one = open[index]
    if (one && one.openings.starts.length > 0) contenders.push(contender(one, candidate))
  }
  const durations = new Set(contenders.map(({ rule }) => rule.duration))
  const slots = [...durations].map((duration) =>
    poolOpenings(
      pool.bucket,
      contenders.filter(({ rule }) => rule.duration === duration),
      service.settings.routingMode,
    ).map(poolSlot),
  )
  // Slots of unequal length may start together; each is then listed under another provider.
  return [slotListOf(slots.flat().sort((one, other) => one.start - other.start || one.providerId - other.providerId))]
}

function laneSlots({ lane, openings }: OpenSource): SlotList {
  const { starts } = openings
  const slot = slotMaker(lane, openings)
  return { starts, slotAt: (index) => slot(starts[index] ?? 0, lane.eligible) }
}

function poolSlot({ start, listed, free }: PoolOpening): Slot {
  const eligible = free.map(({ rule }) => rule.providerId)
  return slotMaker(listed.lane, listed.openings)(start, eligible)
}

/** Makes slots of the lane's openings. What all have in common is looked up once: there may be thousands. */
function slotMaker({ rule, service }: SlotSource, { full, reserved, overrides }: Openings) {
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

function unknown(plan: Plan, { serviceId }: RequestedSlot): NoOffer {
  return plan.services.some(({ id }) => id === serviceId)
    ? { no: 'provider_not_eligible', sentence: 'There is no such provider.' }
    : { no: 'service_inactive', sentence: 'There is no such service.' }
}
