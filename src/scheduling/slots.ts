import type { Provider } from '../catalogue/providers/provider.ts'
import type { EffectiveSettings, Service } from '../catalogue/services/service.ts'
import { type Message, message } from '../messages/message.ts'
import type { SlotRefusal } from '../messages/refusal.ts'
import { type Openings, type OpenSource, openingsOf } from './listing/openings.ts'
import { mergedSlots, type SlotList, slotListOf } from './listing/slot-list.ts'
import { type SlotSource, type SourceMember, slotSourcesOf } from './listing/slot-source.ts'
import { noOverrides } from './opening-hours.ts'
import { type BookingIndex, bookingIndexOf } from './plan/booking-index.ts'
import type { CustomerLoad, Offer, Plan, RequestedSlot, RuleName, Slot, SlotWindow } from './plan/plan.ts'
import { type Contender, candidateOf, contender, type PoolOpening, poolOpenings } from './routing/pool.ts'
import { choose, type RoutingCandidate, reasonFor } from './routing/routing.ts'
import { brokenCustomerLimit, limitVerdict } from './rules/limits.ts'
import type { RuleCase } from './rules/rule.ts'
import { caseOf, firstRefusal } from './rules/rule-case.ts'
import { ruleNames } from './rules/rules.ts'

/** Why a slot cannot be given: the first rule that says no, and its message. */
export interface NoOffer {
  readonly no: SlotRefusal
  readonly message: Message
}

/** Every slot of the plan's services that the question asks for, by start, then service id, then provider id. */
export function openSlots(plan: Plan, question: SlotWindow): SlotList {
  const bookingIndex = bookingIndexOf(plan.booked)
  const lists = listedSources(plan, question.providerIds).flatMap((of) => {
    const open = of.slotSources.map((slotSource) => ({
      slotSource,
      openings: openingsOf(slotSource, plan, bookingIndex, question),
    }))
    if (!isPool(of.service)) return open.map(sourceSlots)
    const candidates = of.slotSources.map((slotSource) => candidateOf(slotSource, { ...plan, bookingIndex }))
    return [poolSlots(of.service, open, candidates, plan.bucket)]
  })
  return mergedSlots(lists)
}

/** A service that can be booked, with the slot sources in which slots of it are listed, by provider. */
export interface ServiceSources {
  readonly service: Service
  readonly slotSources: readonly SlotSource[]
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
      slotSources: slotSourcesOf({ providers }, service).filter(({ members }) => members.some(named)),
    }))
}

/**
 * The slot if it may be taken now, or why not. Of a pool any provider who is free for it may be named. A customer who is
 * blocked or has reached the service's own limit is refused when one is given.
 */
export function offeredSlot(plan: Plan, wanted: RequestedSlot, now: number, customer?: CustomerLoad): Offer | NoOffer {
  const bookingIndex = bookingIndexOf(plan.booked)
  const about = caseOf(plan, bookingIndex, wanted, now)
  if (!about) return unknown(plan, wanted)
  return (
    firstNo(about, ['service_active']) ??
    (customer?.blocked ? customerBlocked : undefined) ??
    firstNo(about, ruleNames) ??
    (customer && customerRefusal(about.service, about.slotSource.provider, wanted, customer)) ??
    offer(about, bookingIndex)
  )
}

/** The first of the rules that says no, if any does. */
function firstNo(about: RuleCase, rules: readonly RuleName[]): NoOffer | undefined {
  const verdict = firstRefusal(about, rules)
  return verdict?.code && { no: verdict.code, message: verdict.message }
}

const customerBlocked: NoOffer = {
  no: 'customer_blocked',
  message: message('customer_blocked'),
}

/** Why this customer may not book the slot although others may: blocked, or at the service's limit per customer and day. */
export function customerRefusal(
  service: Service,
  { timezone }: Provider,
  wanted: RequestedSlot,
  customer: CustomerLoad,
): NoOffer | undefined {
  if (customer.blocked) return customerBlocked
  const broken = brokenCustomerLimit(service.settings.limits, timezone, wanted, customer)
  return broken && { no: 'slot_limit', message: limitVerdict(broken).message }
}

/** Whatever is in a provider's time already: what a reservation that has its slot but no seat yet must not meet. */
export const roomRules: readonly RuleName[] = ['time_off', 'calendar', 'occupancy', 'capacity']

/** The slot if there is room for it, or why not; opening hours, lead time, horizon and limits are not checked. */
export function roomFor(
  plan: Plan,
  wanted: RequestedSlot,
  now: number,
  rules: readonly RuleName[] = roomRules,
): Offer | NoOffer {
  const bookingIndex = bookingIndexOf(plan.booked)
  const about = caseOf(plan, bookingIndex, wanted, now)
  if (!about) return unknown(plan, wanted)
  const no = firstNo(about, rules)
  if (no) return no
  const offered = offer(about, bookingIndex)
  // As long as it was given, whatever the service takes by now.
  return { ...offered, slot: { ...offered.slot, end: wanted.end } }
}

/** The slot of a case that every rule agrees to. */
function offer({ plan, slotSource, wanted, now, overrides }: RuleCase, bookingIndex: BookingIndex): Offer {
  const mode = slotSource.service.settings.routingMode
  const moment = { from: wanted.start, until: wanted.start + 1, now }
  const self = contenderAt(slotSource, plan, bookingIndex, moment)
  const free = isPool(slotSource.service) ? rivals(slotSource, plan, bookingIndex, moment) : [self]
  const occasion = { bucket: plan.bucket, start: wanted.start }
  const picked = choose(mode, free, occasion) ?? self
  const eligible = mode === 'collective' ? slotSource.eligible : free.map(({ rule }) => rule.providerId)
  const seated = (rule: EffectiveSettings) => ({ ...rule, capacity: overrides.capacity ?? rule.capacity })
  return {
    slot: slotMaker(slotSource, self.openings)(wanted.start, eligible),
    rule: seated(slotSource.rule),
    occupies: slotSource.members.map(({ rule }) => seated(rule)),
    picked: picked.rule.providerId,
    because: reasonFor(mode, picked, occasion),
  }
}

/** Who of a pool is free at one moment for a slot as long as the slot source's. */
function rivals(
  slotSource: SlotSource,
  plan: Plan,
  bookingIndex: BookingIndex,
  moment: SlotWindow,
): readonly Contender[] {
  return slotSourcesOf(plan, slotSource.service)
    .filter(({ rule }) => rule.duration === slotSource.rule.duration)
    .map((rival) => contenderAt(rival, plan, bookingIndex, moment))
    .filter(({ openings: { starts, full } }) => starts.length > full.size)
}

function contenderAt(slotSource: SlotSource, plan: Plan, bookingIndex: BookingIndex, moment: SlotWindow): Contender {
  const openings = openingsOf(slotSource, plan, bookingIndex, moment)
  return contender({ slotSource, openings }, candidateOf(slotSource, { ...plan, bookingIndex }))
}

/**
 * The slots of a pool: at each start one slot, listed under the provider that routing picks. `candidates` are those of
 * the open sources, in the same order; `bucket` keys the choice of `random`.
 */
export function poolSlots(
  { settings: { routingMode } }: Service,
  open: readonly OpenSource[],
  candidates: readonly RoutingCandidate[],
  bucket: number,
): SlotList {
  const contenders: Contender[] = []
  for (const [index, one] of open.entries()) {
    const candidate = candidates[index]
    if (candidate && one.openings.starts.length > 0) contenders.push(contender(one, candidate))
  }
  const durations = new Set(contenders.map(({ rule }) => rule.duration))
  const slots = [...durations].map((duration) =>
    poolOpenings(
      bucket,
      contenders.filter(({ rule }) => rule.duration === duration),
      routingMode,
    ).map(poolSlot),
  )
  // Slots of unequal length may start together; each is then listed under another provider.
  return slotListOf(slots.flat().sort((one, other) => one.start - other.start || one.providerId - other.providerId))
}

/** The slots of one source that is no part of a pool. */
export function sourceSlots({ slotSource, openings }: OpenSource): SlotList {
  const { starts } = openings
  const slot = slotMaker(slotSource, openings)
  return { starts, slotAt: (index) => slot(starts[index] ?? 0, slotSource.eligible) }
}

function poolSlot({ start, listed, free }: PoolOpening): Slot {
  const eligible = free.map(({ rule }) => rule.providerId)
  return slotMaker(listed.slotSource, listed.openings)(start, eligible)
}

/** Makes slots of the slot source's openings. What all have in common is looked up once: there may be thousands. */
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

/** Whether one provider of several is chosen for each slot. */
export function isPool({ settings: { routingMode } }: Service): boolean {
  return routingMode !== 'direct' && routingMode !== 'collective'
}

function unknown(plan: Plan, { serviceId }: RequestedSlot): NoOffer {
  return plan.services.some(({ id }) => id === serviceId)
    ? { no: 'provider_not_eligible', message: message('no_such_provider') }
    : { no: 'service_inactive', message: message('no_such_service') }
}
