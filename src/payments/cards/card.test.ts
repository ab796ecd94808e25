import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AttendanceState, markedAttendance } from '../../reservations/attendance/attendance.ts'
import { type NoShowFeeState, unpaid } from '../../reservations/payment.ts'
import type { ReservationStatus } from '../../reservations/reservation.ts'
import { cardNeededUntil } from './card.ts'

const [end, updatedAt] = [1_000_000, 500_000]
const afterwards = end + 30 * 86_400
const soon = updatedAt + 3_600

const cases: readonly (readonly [string, ReservationStatus, AttendanceState, NoShowFeeState, number])[] = [
  ['before the visit', 'confirmed', 'expected', 'agreed', afterwards],
  ['of a customer who has arrived, who may still leave', 'confirmed', 'arrived', 'agreed', afterwards],
  ['of an attended visit', 'confirmed', 'completed', 'agreed', soon],
  ['of a cancelled visit', 'cancelled', 'expected', 'agreed', soon],
  ['of a missed visit', 'confirmed', 'no_show', 'agreed', afterwards],
  ['that is being charged', 'cancelled', 'no_show', 'charging', afterwards],
  ['that was declined', 'confirmed', 'no_show', 'declined', afterwards],
  ['that was charged', 'confirmed', 'no_show', 'charged', soon],
  ['that came too late', 'cancelled', 'expected', 'too_late', 0],
]

for (const [name, status, attended, state, until] of cases)
  test(`a card ${name} is needed until the right moment`, () => {
    const payment = {
      ...unpaid({ method: 'card', amount: 4_500, currency: 'EUR' }),
      noShowFee: { amount: 2_000, state },
    }
    const attendance = markedAttendance({ state: 'expected', times: {} }, attended, 0)
    assert.equal(cardNeededUntil({ status, attendance, payment, end, updatedAt }), until)
  })

test('the card of a reservation that was removed is not needed', () => assert.equal(cardNeededUntil(undefined), 0))

test('the card of a reservation that was given to another customer is kept for an hour', () => {
  const payment = unpaid({ method: 'card', amount: 4_500, currency: 'EUR' })
  const attendance = markedAttendance({ state: 'expected', times: {} }, 'expected', 0)
  assert.equal(cardNeededUntil({ status: 'confirmed', attendance, payment, end, updatedAt }), soon)
})
