import type { EffectiveSettings, Limits, Service } from '../../catalogue/services/service.ts'
import { type Message, message } from '../../messages/message.ts'
import type { SlotSource } from '../listing/slot-source.ts'
import { type Starts, withStarts } from '../listing/starts.ts'
import type { BookingIndex } from '../plan/booking-index.ts'
import type { CustomerLoad } from '../plan/plan.ts'
import {
  countReservations,
  countWithin,
  type ReservationCounts,
  reservedSecondsWithin,
} from '../plan/reservation-counts.ts'
import type { Interval } from '../time/interval.ts'
import { localDay, localWeek } from '../time/zone.ts'
import { allowed, type Dependencies, type RuleCase, type RuleQuestion, refused, type Verdict } from './rule.ts'

const day = 86_400

/**
 * Requires that one more reservation does not exceed `perProviderDay`, `perServiceDay` or `minutesPerProviderWeek` of
 * the service.
 */
export function filter(starts: Starts, { slotSource, bookingIndex }: RuleQuestion): Starts {
  const limited = limitedBy(slotSource, bookingIndex)
  if (!limited) return starts
  let today: Interval = { start: 0, end: 0 }
  let open = false
  const kept = starts.starts.filter((start) => {
    // The limits give the same result for all starts of one local day, so they are evaluated once for each day.
    if (start < today.start || start >= today.end) {
      today = localDay(limited.zone, start)
      open = brokenLimit(limited, slotSource.rule, start) === undefined
    }
    return open
  })
  return withStarts(starts, kept)
}

export function verdict({ slotSource, bookingIndex, service, wanted }: RuleCase): Verdict {
  const limited = limitedBy(slotSource, bookingIndex)
  const broken = limited && brokenLimit(limited, slotSource.rule, wanted.start)
  return broken ? limitVerdict(broken) : allowed('service.limits', service.settings.limits, message('rule_limits'))
}

/**
 * Returns the dependency on reservations. Limits count the reservations in the local day or week of a start; the margin
 * around the start covers that day or week, even where the zone skips or repeats a date.
 */
export function dependsOn({ service }: Pick<SlotSource, 'service'>): Dependencies {
  const { limits } = service.settings
  const ofAllProviders = countsAllProviders(service)
  if (limits.minutesPerProviderWeek !== undefined) return { reservations: { margin: 9 * day, ofAllProviders } }
  if (hidesSlots(limits) || limits.perCustomerDay !== undefined)
    return { reservations: { margin: 2 * day, ofAllProviders } }
  return {}
}

/**
 * Whether the service's limits, apart from `perCustomerDay`, count its reservations with all providers, including
 * providers that no longer give the service.
 */
export function countsAllProviders({ settings: { limits, routingMode } }: Service): boolean {
  return limits.perServiceDay !== undefined || (routingMode === 'collective' && hidesSlots(limits))
}

/** Whether any limit can remove a slot from a list; `perCustomerDay` cannot, because a list is not for one customer. */
export function hidesSlots(limits: Limits): boolean {
  return (
    limits.perProviderDay !== undefined ||
    limits.perServiceDay !== undefined ||
    limits.minutesPerProviderWeek !== undefined
  )
}

/**
 * The limits of a service, with the reservations that count towards them for the slots of one slot source (one
 * provider, or all providers of a collective service).
 */
export interface LimitedBy {
  readonly limits: Limits
  readonly zone: string
  /**
   * The service's reservations with this provider; for a collective service all of them, since each occupies every
   * provider.
   */
  readonly ofProvider: ReservationCounts
  readonly ofService: ReservationCounts
}

/**
 * The limit that one more reservation would exceed, with the reservations (or minutes) already booked and the maximum.
 */
export interface BrokenLimit {
  readonly limit: keyof Limits
  readonly allowed: number
  readonly reserved: number
  readonly within: Interval
}

/**
 * Returns the service's limits, with the reservations that count towards them for slots of one provider, or of all
 * providers of a collective service; undefined when no limit can remove a slot.
 */
function limitedBy({ service, provider }: SlotSource, bookingIndex: BookingIndex): LimitedBy | undefined {
  const { limits, routingMode } = service.settings
  if (!hidesSlots(limits)) return undefined
  const ofService = bookingIndex.ofService(service.id)
  const ofProvider =
    routingMode === 'collective' ? ofService : countReservations(bookingIndex.ofBoth(service.id, provider.id))
  return { limits, zone: provider.timezone, ofService, ofProvider }
}

/** Returns the first limit that one more reservation at `start` would exceed; `perCustomerDay` is not checked. */
export function brokenLimit(limited: LimitedBy, rule: EffectiveSettings, start: number): BrokenLimit | undefined {
  const { perProviderDay, perServiceDay, minutesPerProviderWeek } = limited.limits
  if (perProviderDay !== undefined || perServiceDay !== undefined) {
    const within = localDay(limited.zone, start)
    const withProvider = countWithin(limited.ofProvider, within)
    if (perProviderDay !== undefined && withProvider + 1 > perProviderDay)
      return { limit: 'perProviderDay', allowed: perProviderDay, reserved: withProvider, within }
    const inAll = countWithin(limited.ofService, within)
    if (perServiceDay !== undefined && inAll + 1 > perServiceDay)
      return { limit: 'perServiceDay', allowed: perServiceDay, reserved: inAll, within }
  }
  if (minutesPerProviderWeek === undefined) return undefined
  const within = localWeek(limited.zone, start)
  const reserved = reservedSecondsWithin(limited.ofProvider, within) / 60
  if (reserved + rule.duration / 60 <= minutesPerProviderWeek) return undefined
  return { limit: 'minutesPerProviderWeek', allowed: minutesPerProviderWeek, reserved, within }
}

/**
 * Returns the broken limit `perCustomerDay` when one more reservation of the service on the start's local day would
 * exceed it for this customer; undefined otherwise.
 */
export function brokenCustomerLimit(
  limits: Limits,
  zone: string,
  wanted: { readonly serviceId: string; readonly start: number },
  customer: CustomerLoad,
): BrokenLimit | undefined {
  if (limits.perCustomerDay === undefined) return undefined
  const within = localDay(zone, wanted.start)
  const theirs = customer.booked.filter((one) => one.customerId === customer.id && one.serviceId === wanted.serviceId)
  const reserved = countWithin(countReservations(theirs), within)
  if (reserved + 1 <= limits.perCustomerDay) return undefined
  return { limit: 'perCustomerDay', allowed: limits.perCustomerDay, reserved, within }
}

/** Returns the answer of the rule about limits for a slot that an exceeded limit refuses. */
export function limitVerdict({ limit, allowed: most, reserved, within }: BrokenLimit): Verdict {
  const value = { limit: most, reserved, from: within.start, until: within.end }
  return refused(`service.limits.${limit}`, value, 'slot_limit', limitMessages[limit])
}

const limitMessages: Record<BrokenLimit['limit'], Message> = {
  perProviderDay: message('limit_per_provider_day'),
  perServiceDay: message('limit_per_service_day'),
  minutesPerProviderWeek: message('limit_minutes_per_provider_week'),
  perCustomerDay: message('limit_per_customer_day'),
}
