import { message } from '../../messages/message.ts'
import type { Refused } from '../../messages/refusal.ts'
import type { Reservation } from '../../reservations/reservation.ts'
import type { RemovalPolicy } from './site.ts'

/**
 * Returns the refusal to remove a reservation when the site's policy forbids the removal; undefined when the removal is
 * allowed.
 */
export function reservationRemovalRefusal(
  policy: RemovalPolicy,
  reservation: Pick<Reservation, 'status' | 'end'>,
  now: number,
): Refused | undefined {
  if (policy === 'never') {
    return { code: 'removal_forbidden', message: message('removal_forbidden') }
  }
  if (policy === 'any' || reservation.status === 'cancelled') return undefined
  if (policy === 'cancelled_or_past' && reservation.end <= now) return undefined
  return { code: 'reservation_active', message: message('reservation_active') }
}

/**
 * Returns the refusal to remove a customer; undefined when the removal is allowed. `open` is whether a pending or
 * confirmed reservation refers to the customer.
 */
export function customerRemovalRefusal(open: boolean): Refused | undefined {
  if (!open) return undefined
  return {
    code: 'customer_has_reservations',
    message: message('customer_has_reservations'),
  }
}

/**
 * Returns the refusal to remove a service; undefined when the removal is allowed. `open` is whether a pending or
 * confirmed reservation refers to the service.
 */
export function serviceRemovalRefusal(open: boolean): Refused | undefined {
  if (!open) return undefined
  return {
    code: 'service_has_history',
    message: message('service_has_history'),
  }
}

/**
 * Returns the refusal to remove a provider; undefined when the removal is allowed. `open` is whether a pending or
 * confirmed reservation refers to the provider.
 */
export function providerRemovalRefusal(open: boolean): Refused | undefined {
  if (!open) return undefined
  return {
    code: 'provider_has_reservations',
    message: message('provider_has_reservations'),
  }
}
