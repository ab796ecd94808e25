import type { EffectiveSettings, Limits } from '../../catalogue/services/service.ts'
import type { Booked, CustomerLoad } from '../plan/plan.ts'
import type { Interval } from '../time/interval.ts'
import { lowerBound } from '../time/lower-bound.ts'
import { localDay, localWeek } from '../time/zone.ts'

/** Reservations by their start, ready to be counted between two instants. */
export interface ReservationCounts {
  readonly starts: readonly number[]
  /** Seconds reserved by those before each index; one longer than `starts`. */
  readonly secondsBefore: readonly number[]
}

/** What counts towards the limits of one service with one provider, or with all of a collective. */
export interface LimitedBy {
  readonly limits: Limits
  readonly zone: string
  /** This service's reservations with this provider; of a collective service all of them, as each took everyone. */
  readonly ofProvider: ReservationCounts
  readonly ofService: ReservationCounts
}

/** The limit that one more reservation would break, with what is there and what is allowed. */
export interface BrokenLimit {
  readonly limit: keyof Limits
  readonly allowed: number
  readonly reserved: number
  readonly within: Interval
}

/** Counts reservations in any order. */
export function countReservations(booked: readonly Booked[]): ReservationCounts {
  const sorted = [...booked].sort((one, other) => one.start - other.start)
  const secondsBefore = [0]
  for (const one of sorted) secondsBefore.push((secondsBefore.at(-1) ?? 0) + one.end - one.start)
  return { starts: sorted.map((one) => one.start), secondsBefore }
}

/** Seconds reserved by those that start within the stretch, each counted whole. */
export function reservedSecondsWithin({ starts, secondsBefore }: ReservationCounts, within: Interval): number {
  return (secondsBefore[lowerBound(starts, within.end)] ?? 0) - (secondsBefore[lowerBound(starts, within.start)] ?? 0)
}

/** Whether any limit can keep a slot from being listed; `perCustomerDay` cannot, as nobody has asked yet. */
export function hidesSlots(limits: Limits): boolean {
  return (
    limits.perProviderDay !== undefined ||
    limits.perServiceDay !== undefined ||
    limits.minutesPerProviderWeek !== undefined
  )
}

/** The first limit of those that delist which a reservation of the rule at `start` would break. */
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

/** The customer's own limit, if one more reservation of the service on that local day would break it. */
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

function countWithin({ starts }: ReservationCounts, within: Interval): number {
  return lowerBound(starts, within.end) - lowerBound(starts, within.start)
}
