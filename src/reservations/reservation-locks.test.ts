import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reservationLocks } from './reservation-locks.ts'

test('a change of reservations locks each of them, or the catalogue exclusively if they are very many', () => {
  const idsOf = (count: number) => Array.from({ length: count }, (_, at) => `r_${at}`)
  assert.deepEqual(reservationLocks([]), [])
  assert.deepEqual(reservationLocks(idsOf(2)), ['catalogue', 'reservation:r_0', 'reservation:r_1'])
  assert.equal(reservationLocks(idsOf(500)).length, 501)
  assert.deepEqual(reservationLocks(idsOf(501)), ['catalogue!'])
})
