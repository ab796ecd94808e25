import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unpaid as unpaidOf, withPaid } from '../reservations/payment.ts'
import { notificationsOfChange, type ReservationState } from './notification.ts'

const now = 1_000
const confirmed: ReservationState = {
  ...{ id: 'r_1', serviceId: 's_1', customerId: 'c_1', providerId: 1, availabilityId: 'a', start: 2_000, end: 3_000 },
  status: 'confirmed',
}
const pending: ReservationState = { ...confirmed, status: 'pending' }
const unverified: ReservationState = { ...pending, awaits: 'email', expires: 1_500 }

for (const [name, before, after, kinds] of [
  ['asks for the confirmation of the address', null, unverified, ['verify_email']],
  ['is announced as booked once the address is confirmed', unverified, confirmed, ['confirmed', 'provider_new']],
  ['is announced as requested where approval is left', unverified, pending, ['request_received', 'staff_approval']],
  ['expires without a word', unverified, { ...unverified, status: 'cancelled' }, []],
  ['is removed without a word', unverified, null, []],
  ['is moved without a word', unverified, { ...unverified, start: 2_100 }, []],
] as const)
  test(`a booking whose e-mail address is unconfirmed ${name}`, () => {
    const due = notificationsOfChange({ before, after }, now)
    assert.deepEqual(
      due.map(({ kind }) => kind),
      kinds,
    )
  })

const due = unpaidOf({ method: 'online', amount: 4_500, currency: 'EUR' })
const unpaid: ReservationState = { ...pending, awaits: 'payment', payment: due }
const paid = { payment: withPaid(due, { paid: 4_500 }) }

for (const [name, before, after, kinds] of [
  ['is acknowledged to its customer alone', null, unpaid, ['request_received']],
  ['is announced as booked once it is paid', unpaid, { ...confirmed, ...paid }, ['confirmed', 'provider_new']],
  ['is shown to staff once it is paid, where approval is left', unpaid, { ...pending, ...paid }, ['staff_approval']],
  ['is announced as not paid when it expires', unpaid, { ...unpaid, status: 'cancelled' }, ['payment_expired']],
  [
    'is announced as returned when it was paid too late',
    { ...unpaid, status: 'cancelled' },
    { ...unpaid, ...paid, status: 'cancelled' },
    ['payment_returned'],
  ],
  [
    'is announced as returned when it was paid after staff had confirmed and cancelled it',
    { ...confirmed, payment: due, status: 'cancelled' },
    { ...confirmed, ...paid, status: 'cancelled' },
    ['payment_returned'],
  ],
  [
    'is announced to nobody when it is refunded after its cancellation',
    { ...confirmed, ...paid, status: 'cancelled' },
    { ...confirmed, payment: withPaid(paid.payment, { refunded: 4_500 }), status: 'cancelled' },
    [],
  ],
] as const)
  test(`a booking that is not paid yet ${name}`, () => {
    const due = notificationsOfChange({ before, after }, now)
    assert.deepEqual(
      due.map(({ kind }) => kind),
      kinds,
    )
  })
