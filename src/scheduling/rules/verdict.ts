import { handles, type Provider, type SlotOverrides } from '../../catalogue/providers/provider.ts'
import type { ProviderServiceSettings, Service } from '../../catalogue/services/service.ts'
import type { SlotRefusal } from '../../messages/refusal.ts'
import { limitCounts, type SlotSource, singleSource, slotSourcesOf, windowsOf } from '../listing/slot-source.ts'
import { openDayAt, type Window } from '../opening-hours.ts'
import type { BookingIndex } from '../plan/booking-index.ts'
import { type Blocked, firstWithin, noTimes, seatsOf } from '../plan/occupancy.ts'
import type { Plan, RequestedSlot, RuleName, RuleVerdict } from '../plan/plan.ts'
import type { Interval } from '../time/interval.ts'
import { wallTime } from '../time/zone.ts'
import { type BrokenLimit, brokenLimit } from './limits.ts'

/** One slot before the rules, with all that they look at. */
export interface RuleCase {
  readonly plan: Plan
  readonly bookingIndex: BookingIndex
  readonly service: Service
  readonly provider: Provider
  /** Whom the slot would take; of a collective service all, whoever was named. */
  readonly slotSource: SlotSource
  readonly wanted: RequestedSlot
  readonly now: number
  /** The opening window whose grid has this start, if any, and what its date changes. */
  readonly window: Window | undefined
  readonly overrides: SlotOverrides
}

/** Every rule in the order in which it is asked. */
export const ruleNames: readonly RuleName[] = [
  'service_active',
  'provider_eligible',
  'lead_time',
  'horizon',
  'opening_hours',
  'time_off',
  'calendar',
  'occupancy',
  'capacity',
  'limits',
]

/** Brings a slot before the rules; undefined when the plan knows no such service or provider. */
export function caseOf(
  plan: Plan,
  bookingIndex: BookingIndex,
  wanted: RequestedSlot,
  now: number,
): RuleCase | undefined {
  const service = plan.services.find(({ id }) => id === wanted.serviceId)
  const provider = plan.providers.find(({ id }) => id === wanted.providerId)
  if (!service || !provider) return undefined
  const slotSource = sourceFor(plan, service, provider)
  const { start, end } = wanted
  const { duration, interval } = slotSource.rule
  const window =
    end - start === duration
      ? windowsOf(slotSource, plan, start, start + 1).find(
          (open) => open.start <= start && end <= open.end && (start - open.start) % interval === 0,
        )
      : undefined
  return { plan, bookingIndex, service, provider, slotSource, wanted, now, window, overrides: window?.overrides ?? {} }
}

/** Whom a slot of the service with the provider would take; of a collective service all, whoever is named. */
export function sourceFor(plan: Plan, service: Service, provider: Provider): SlotSource {
  const collective = service.settings.routingMode === 'collective' ? slotSourcesOf(plan, service)[0] : undefined
  return collective ?? singleSource(service, provider)
}

/** What one rule says of the slot. */
export function verdictOf(rule: RuleName, about: RuleCase): RuleVerdict {
  return { rule, ...rules[rule](about) }
}

/** Where a setting that provider and service both have was taken from. */
function settingOf({ service, provider }: RuleCase, key: keyof ProviderServiceSettings): string {
  const own = provider.services.get(service.id)?.[key]
  return own === undefined ? `service.${key}` : `provider.services.${service.id}.${key}`
}

type Answer = Omit<RuleVerdict, 'rule'>

function yes(setting: string, value: unknown, sentence: string): Answer {
  return { ok: true, sentence, value, setting }
}

function no(setting: string, value: unknown, code: SlotRefusal, sentence: string): Answer {
  return { ok: false, code, sentence, value, setting }
}

const rules: Record<RuleName, (about: RuleCase) => Answer> = {
  service_active: ({ service }) =>
    service.settings.active
      ? yes('service.active', true, 'The service is offered.')
      : no('service.active', false, 'service_inactive', 'This service is not offered at the moment.'),
  provider_eligible: providerEligible,
  lead_time: (about) => {
    const earliest = about.now + about.slotSource.rule.leadTime
    const setting = settingOf(about, 'leadTimeMinutes')
    const text = local(about, earliest)
    return about.wanted.start >= earliest
      ? yes(setting, earliest, `It starts at or after the earliest start, ${text}.`)
      : no(
          setting,
          earliest,
          'slot_lead_time',
          `It starts too soon: the earliest start is ${text}. Choose a later one.`,
        )
  },
  horizon: (about) => {
    const latest = about.now + about.slotSource.rule.horizon
    const setting = settingOf(about, 'horizonDays')
    const text = local(about, latest)
    return about.wanted.start <= latest
      ? yes(setting, latest, `It starts at or before the latest start, ${text}.`)
      : no(setting, latest, 'slot_horizon', `It is too far ahead: the latest start is ${text}. Choose an earlier one.`)
  },
  opening_hours: openingHours,
  time_off: (about) => {
    const found = blockedBy(about, 'time_off')
    return found
      ? no('provider.timeOff', found, 'slot_closed', 'The provider is away at this time. Choose another time.')
      : yes('provider.timeOff', null, 'No time off is in the way.')
  },
  calendar: (about) => {
    const found = blockedBy(about, 'calendar')
    return found
      ? no('provider.calendars', found, 'slot_calendar_busy', 'The provider is busy at this time. Choose another time.')
      : yes('provider.calendars', null, 'No connected calendar is in the way.')
  },
  occupancy: (about) => {
    const found = occupiedBy(about)
    return found
      ? no('reservations', found, 'slot_provider_busy', 'The provider has another booking then. Choose another time.')
      : yes('reservations', null, 'No other booking is in the way.')
  },
  capacity,
  limits: (about) => {
    const limited = limitCounts(about.slotSource, about.bookingIndex)
    const broken = limited && brokenLimit(limited, about.slotSource.rule, about.wanted.start)
    return broken ? limitVerdict(broken) : yes('service.limits', about.service.settings.limits, 'No limit is reached.')
  },
}

/** The answer for a limit that one more reservation would break. */
export function limitVerdict({ limit, allowed, reserved, within }: BrokenLimit): Answer {
  const value = { limit: allowed, reserved, from: within.start, until: within.end }
  return no(`service.limits.${limit}`, value, 'slot_limit', limitSentences[limit])
}

const limitSentences: Record<BrokenLimit['limit'], string> = {
  perProviderDay: 'The provider takes no more bookings of this service that day. Choose another day.',
  perServiceDay: 'This service takes no more bookings that day. Choose another day.',
  minutesPerProviderWeek: 'The provider takes no more bookings of this service that week. Choose another week.',
  perCustomerDay: 'The customer has as many bookings of this service that day as it allows. Choose another day.',
}

function providerEligible({ service, provider, slotSource }: RuleCase): Answer {
  const own = `provider.services.${service.id}.participate`
  const refused = (setting: string, value: unknown, sentence: string) =>
    no(setting, value, 'provider_not_eligible', sentence)
  if (!handles(provider, service.id)) {
    if (provider.services.get(service.id)?.participate === false)
      return refused(own, false, 'The provider does not take part in this service. Choose another provider.')
    const value = provider.allowedServices
    return refused('provider.allowedServices', value, 'The provider does not handle this service. Choose another one.')
  }
  if (slotSource.provider.id !== provider.id) {
    const sentence = `All providers of this service are booked together, under provider ${slotSource.provider.id}.`
    return refused('service.routingMode', slotSource.provider.id, sentence)
  }
  return yes('provider.allowedServices', provider.id, 'The provider handles this service.')
}

function openingHours(about: RuleCase): Answer {
  const { plan, slotSource, wanted, provider, window } = about
  const { start, end } = wanted
  const { duration, interval } = slotSource.rule
  // A window past midnight belongs to the date on which it starts.
  const { setting } = openDayAt(provider, plan.holidays, window?.start ?? start)
  if (window) return yes(setting, bounds(window), 'It is one of the starts of an opening window.')
  if (end - start !== duration)
    return no(
      settingOf(about, 'durationMinutes'),
      duration / 60,
      'slot_closed',
      `An appointment of this service takes ${duration / 60} minutes here. Ask for the times on offer.`,
    )
  const open = windowsOf(slotSource, plan, start, start + 1)
  const value = open.map(bounds)
  if (!open.some((one) => one.start <= start && end <= one.end))
    return no(setting, value, 'slot_closed', 'It does not lie within the opening hours. Choose another time.')
  const sentence = `Appointments begin every ${interval / 60} minutes from the start of opening hours. Choose one of those times.`
  return no(settingOf(about, 'intervalMinutes'), value, 'slot_closed', sentence)
}

function capacity(about: RuleCase): Answer {
  const { slotSource, overrides, plan, wanted } = about
  const setting = overrides.capacity === undefined ? settingOf(about, 'capacity') : 'provider.overrides.slot.capacity'
  const seats = slotSource.members.map(({ provider, rule }) => {
    const taken = seatsOf(plan.occupied.get(provider.id) ?? noTimes, wanted)
    return { taken, capacity: overrides.capacity ?? rule.capacity }
  })
  const value = seats.reduce((one, other) => (other.capacity - other.taken < one.capacity - one.taken ? other : one))
  return value.taken < value.capacity
    ? yes(setting, value, 'There is a seat left.')
    : no(setting, value, 'slot_full', 'Every seat of this slot is taken. Choose another time.')
}

/** The first time of one source that the appointment or its buffers would meet. */
function blockedBy({ slotSource, plan, wanted }: RuleCase, source: Blocked['source']): Interval | undefined {
  for (const { provider, rule } of slotSource.members) {
    const needed = { start: wanted.start - rule.bufferBefore, end: wanted.end + rule.bufferAfter }
    const found = firstWithin(plan.blocked.get(provider.id) ?? noTimes, needed, source)
    if (found) return found
  }
  return undefined
}

/** The first time taken by another slot; nothing is in the way of a slot that has seats already. */
function occupiedBy({ slotSource, plan, wanted }: RuleCase): Interval | undefined {
  for (const { provider, rule } of slotSource.members) {
    const needed = { start: wanted.start - rule.bufferBefore, end: wanted.end + rule.bufferAfter }
    const taken = plan.occupied.get(provider.id) ?? noTimes
    const found = firstWithin(taken, needed)
    if (found && seatsOf(taken, wanted) === 0) return found
  }
  return undefined
}

function bounds({ start, end }: Interval): Interval {
  return { start, end }
}

function local({ provider }: RuleCase, instant: number): string {
  return `${wallTime(provider.timezone, instant).replace('T', ' ')} (${provider.timezone})`
}
