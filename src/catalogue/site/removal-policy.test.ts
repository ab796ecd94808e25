import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sentence } from '../../messages/sentence.ts'
import type { ReservationStatus } from '../../reservations/reservation.ts'
import {
  customerRemovalRefusal,
  providerRemovalRefusal,
  reservationRemovalRefusal,
  serviceRemovalRefusal,
} from './removal-policy.ts'
import type { RemovalPolicy } from './site.ts'

const now = 1_000
const table: [RemovalPolicy, ReservationStatus, number, string | undefined][] = [
  ['any', 'confirmed', 2_000, undefined],
  ['any', 'pending', 500, undefined],
  ['cancelled', 'cancelled', 2_000, undefined],
  ['cancelled', 'confirmed', 500, 'reservation_active'],
  ['cancelled', 'pending', 2_000, 'reservation_active'],
  ['cancelled_or_past', 'cancelled', 2_000, undefined],
  ['cancelled_or_past', 'confirmed', 1_000, undefined],
  ['cancelled_or_past', 'confirmed', 1_001, 'reservation_active'],
  ['never', 'cancelled', 500, 'removal_forbidden'],
]
for (const [policy, status, end, code] of table) {
  test(`policy ${policy}: a ${status} reservation that ends at ${end} is ${code ?? 'removed'}`, () =>
    assert.equal(reservationRemovalRefusal(policy, { status, end }, now)?.code, code))
}

test('a customer, service or provider cannot be removed exactly while an open reservation refers to it', () => {
  assert.equal(customerRemovalRefusal(true)?.code, 'customer_has_reservations')
  assert.equal(customerRemovalRefusal(false), undefined)
  assert.equal(serviceRemovalRefusal(true)?.code, 'service_has_history')
  assert.equal(serviceRemovalRefusal(false), undefined)
  assert.equal(providerRemovalRefusal(true)?.code, 'provider_has_reservations')
  assert.equal(providerRemovalRefusal(false), undefined)
})

const pending = { status: 'pending', end: 2_000 } as const
for (const [kept, advice] of [
  [
    reservationRemovalRefusal('never', pending, now),
    /does not allow reservations to be removed\. Cancel the reservation instead/,
  ],
  [reservationRemovalRefusal('cancelled', pending, now), /still active\. Cancel it before/],
  [customerRemovalRefusal(true), /^This customer has .* Cancel or remove those first/],
  [serviceRemovalRefusal(true), /^This service has .* stop taking bookings for it in the panel/],
  [providerRemovalRefusal(true), /^This provider has .* stop taking bookings for the provider/],
] as const)
  test(`a refused removal has an instruction: ${advice.source}`, () =>
    assert.match(kept ? sentence(kept.message) : '', advice))
