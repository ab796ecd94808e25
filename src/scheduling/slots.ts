import type { Provider, SlotOverrides } from '../catalogue/providers/provider.ts'
import { type EffectiveSettings, isPool, type Service } from '../catalogue/services/service.ts'
import { type Message, message } from '../messages/message.ts'
import type { SlotRefusal } from '../messages/refusal.ts'
import { type Openings, type OpenSource, openingsOf } from './listing/openings.ts'
import { mergedSlots, type SlotList, slotListOf } from './listing/slot-list.ts'
import { type SlotSource, type SourceMember, slotSourcesOf } from './listing/slot-source.ts'
import { noOverrides } from './opening-hours.ts'
import { type BookingIndex, bookingIndexOf } from './plan/booking-index.ts'
import type { CustomerLoad, Offer, Plan, RequestedSlot, RuleName, Slot, SlotWindow } from './plan/plan.ts'
import { candidateOf, type OpenPool, openPool } from './routing/pool.ts'
import { choose, type RoutingCandidate, reasonFor } from './routing/routing.ts'
import { brokenCustomerLimit, limitVerdict } from './rules/limits.ts'
import type { RuleCase } from './rules/rule.ts'
import { caseOf, firstRefusal } from './rules/rule-case.ts'
import { ruleNames } from './rules/rules.ts'

/** The code and message with which a slot is refused: by the first rule that refuses it, or by `customerRefusal`. */
export interface NoOffer {
  readonly no: SlotRefusal
  readonly message: Message
}

/**
 * Returns the slots to list for the active services among the loaded data (`plan`) that start in the window, by start,
 * then service id, then provider id.
 */
export function openSlots(plan: Plan, question: SlotWindow): SlotList {
  const bookingIndex = bookingIndexOf(plan)
  const lists = listedSources(plan, question.providerIds).flatMap((of) => {
    const open = of.slotSources.map((slotSource) => ({
      slotSource,
      openings: openingsOf(slotSource, plan, bookingIndex, question),
    }))
    if (!isPool(of.service.settings.routingMode)) return open.map(sourceSlots)
    const candidates = of.slotSources.map((slotSource) => candidateOf(slotSource, { ...plan, bookingIndex }))
    return [poolSlots(openPool(of.service, open), candidates, plan.bucket)]
  })
  return mergedSlots(lists)
}

/** A service with its slot sources: the providers, or the group of all providers, for which slots are listed. */
export interface ServiceSources {
  readonly service: Service
  readonly slotSources: readonly SlotSource[]
}

/**
 * Returns every active service with its slot sources (see `ServiceSources`), ascending by service id. With
 * `providerIds`, only the slot sources with one of these providers are included.
 */
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
 * Returns an offer, with the providers that a reservation of the slot occupies, if the slot can be booked now,
 * otherwise the refusal. For a service that assigns one of several providers itself (routing), any free provider may be
 * requested. When a customer is given, a blocked customer and a customer at the service's limit per customer and day
 * are refused.
 */
export function offeredSlot(plan: Plan, wanted: RequestedSlot, now: number, customer?: CustomerLoad): Offer | NoOffer {
  const bookingIndex = bookingIndexOf(plan)
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

/** Returns the first refusal by one of the given rules; undefined when all of them allow the slot. */
function firstNo(about: RuleCase, rules: readonly RuleName[]): NoOffer | undefined {
  const verdict = firstRefusal(about, rules)
  return verdict?.code && { no: verdict.code, message: verdict.message }
}

const customerBlocked: NoOffer = {
  no: 'customer_blocked',
  message: message('customer_blocked'),
}

/**
 * Returns the refusal that concerns this customer only: a blocked customer, or a customer at the service's limit per
 * day; undefined when the customer may book.
 */
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

/**
 * The rules about free time and seats. Only these are checked when a pending or confirmed reservation takes a seat
 * again in its own slot, or is moved because the rules of its time zone have changed.
 */
export const roomRules: readonly RuleName[] = ['time_off', 'calendar', 'occupancy', 'capacity']

/**
 * Returns an offer of the slot, with the providers that a reservation of it occupies, if none of `rules` (by default
 * the rules about free time and seats) refuses it, otherwise the refusal. A slot whose service or provider is not among
 * the loaded data (`plan`) is refused.
 */
export function roomFor(
  plan: Plan,
  wanted: RequestedSlot,
  now: number,
  rules: readonly RuleName[] = roomRules,
): Offer | NoOffer {
  const bookingIndex = bookingIndexOf(plan)
  const about = caseOf(plan, bookingIndex, wanted, now)
  if (!about) return unknown(plan, wanted)
  const no = firstNo(about, rules)
  if (no) return no
  const offered = offer(about, bookingIndex)
  // The end of the requested slot is retained, since the appointment does not change its length even if the service's
  // duration has changed.
  return { ...offered, slot: { ...offered.slot, end: wanted.end } }
}

/**
 * Returns the overrides of a slot; empty for a slot that is not on the grid of the opening hours, or does not have the
 * usual length.
 */
export function overridesAt(plan: Plan, wanted: RequestedSlot, now: number): SlotOverrides {
  return caseOf(plan, bookingIndexOf(plan), wanted, now)?.overrides ?? {}
}

/**
 * Builds the offer of a slot, with the providers that a reservation of it occupies; the caller must have checked the
 * rules.
 */
function offer({ plan, slotSource, wanted, now, overrides }: RuleCase, bookingIndex: BookingIndex): Offer {
  const mode = slotSource.service.settings.routingMode
  const moment = { from: wanted.start, until: wanted.start + 1, now }
  const self = contenderAt(slotSource, plan, bookingIndex, moment)
  const free = isPool(slotSource.service.settings.routingMode) ? rivals(slotSource, plan, bookingIndex, moment) : [self]
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

/**
 * Returns the providers who are free at one start, of those from which routing chooses (the pool) and who have the same
 * duration as the given slot source.
 */
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

/** A provider that may be chosen for a slot, with its listed starts. */
type Contender = RoutingCandidate & OpenSource

function contenderAt(slotSource: SlotSource, plan: Plan, bookingIndex: BookingIndex, moment: SlotWindow): Contender {
  const openings = openingsOf(slotSource, plan, bookingIndex, moment)
  return { ...candidateOf(slotSource, { ...plan, bookingIndex }), slotSource, openings }
}

/**
 * Returns the slots of a pool, the providers from which routing chooses: one slot at each start and duration, listed
 * under the provider that routing picks, or the one with the lowest id if the slot is full. `candidates` has one
 * element for each source of the pool, in the same order; `bucket` is the seed of `random` routing.
 */
export function poolSlots(pool: OpenPool, candidates: readonly RoutingCandidate[], bucket: number): SlotList {
  const { service, sources, openings } = pool
  const slots: Slot[] = []
  for (const { start, lowest, free } of openings) {
    const contenders: RoutingCandidate[] = []
    for (const index of free) {
      const candidate = candidates[index]
      if (candidate) contenders.push(candidate)
    }
    const picked = choose(service.settings.routingMode, contenders, { bucket, start })
    const listed = sources[picked ? candidates.indexOf(picked) : lowest]
    const eligible = contenders.map(({ rule }) => rule.providerId)
    if (listed) slots.push(slotMaker(listed.slotSource, listed.openings)(start, eligible))
  }
  // Slots of different lengths may have the same start; each is then listed under another provider.
  return slotListOf(slots.sort((one, other) => one.start - other.start || one.providerId - other.providerId))
}

/**
 * Returns the slots of one provider of a service that assigns no provider itself (no routing), or of all providers of a
 * collective service.
 */
export function sourceSlots({ slotSource, openings }: OpenSource): SlotList {
  const { starts } = openings
  const slot = slotMaker(slotSource, openings)
  return { starts, slotAt: (index) => slot(starts[index] ?? 0, slotSource.eligible) }
}

/**
 * Returns a function that creates the slot at one of the starts in `openings`. Values common to all slots are computed
 * once, since a slot source may have thousands of slots.
 */
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

function unknown(plan: Plan, { serviceId }: RequestedSlot): NoOffer {
  return plan.services.some(({ id }) => id === serviceId)
    ? { no: 'provider_not_eligible', message: message('no_such_provider') }
    : { no: 'service_inactive', message: message('no_such_service') }
}
