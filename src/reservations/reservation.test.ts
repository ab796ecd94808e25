import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  movesSlot,
  type Reservation,
  type ReservationStatus,
  reservationChange,
  shownReservation,
} from './reservation.ts'

const reservation: Reservation = {
  id: 'r_1',
  serviceId: 's_1',
  customerId: 'c_1',
  providerId: 3,
  availabilityId: 'slot',
  start: 1_000,
  end: 2_000,
  status: 'pending',
  data: { note: 'x' },
  createdAt: 10,
  updatedAt: 20,
  price: 100,
  currency: 'EUR',
  localStart: '2026-11-20T09:00',
  zone: 'Europe/Berlin',
  zoneVersion: '2026c',
  assignedBecause: null,
  groupId: null,
  expiresAt: null,
  awaits: null,
  source: null,
  attendance: { state: 'expected', times: {} },
  note: '',
  cancelReason: '',
  payment: null,
  meeting: null,
  linkVersion: 0,
  version: 1,
}

describe('a change moves a reservation to another slot', () => {
  for (const [change, moves] of [
    [{}, false],
    [{ serviceId: 's_2' }, true],
    [{ providerId: 4 }, true],
    [{ start: 900 }, true],
    [{ end: 2_100 }, true],
    [{ customerId: 'c_2', status: 'confirmed', data: {} }, false],
  ] as const)
    test(`${moves ? 'with' : 'not with'} ${JSON.stringify(change)}`, () =>
      assert.equal(movesSlot(reservation, { ...reservation, ...change }), moves))
})

const table: readonly [from: ReservationStatus, to: ReservationStatus, type: string][] = [
  ['pending', 'pending', 'reservation.updated'],
  ['cancelled', 'cancelled', 'reservation.updated'],
  ['pending', 'confirmed', 'reservation.confirmed'],
  ['confirmed', 'pending', 'reservation.pending'],
  ['pending', 'cancelled', 'reservation.cancelled'],
  ['confirmed', 'cancelled', 'reservation.cancelled'],
  ['cancelled', 'pending', 'reservation.restored'],
  ['cancelled', 'confirmed', 'reservation.restored'],
]
for (const [from, to, type] of table)
  test(`from ${from} to ${to} is ${type}`, () =>
    assert.equal(reservationChange({ ...reservation, status: from }, { ...reservation, status: to }), type))

test('the same status in another slot is reservation.rescheduled, unless cancelled', () => {
  const moved = (status: ReservationStatus) =>
    reservationChange({ ...reservation, status }, { ...reservation, status, start: 900 })
  assert.equal(moved('confirmed'), 'reservation.rescheduled')
  assert.equal(moved('cancelled'), 'reservation.updated')
})

test('lists have eight fields of a reservation, full ones data and timestamps too', () => {
  const shown = {
    id: 'r_1',
    serviceId: 's_1',
    customerId: 'c_1',
    providerId: 3,
    availabilityId: 'slot',
    start: 1_000,
    end: 2_000,
    status: 'pending',
  }
  assert.deepEqual(shownReservation(reservation, { full: false }), shown)
  const full = { ...shown, data: { note: 'x' }, created: 10, updated: 20 }
  assert.deepEqual(shownReservation(reservation, { full: true }), full)
})
