import assert from 'node:assert/strict'
import { test } from 'node:test'
import { booking } from '../../../test/support/plan.ts'
import { bookingIndexOf, countsOf } from './booking-index.ts'
import { countReservations } from './reservation-counts.ts'

const of = (serviceId: string, providerId: number, start: number) =>
  booking({ serviceId, providerId, start, end: start + 60 })
const [a, b, c, d, e] = [of('s_1', 1, 50), of('s_1', 2, 40), of('s_1', 1, 20), of('s_2', 1, 10), of('s_1', 1, 30)]

test('a ledger sorts reservations out by service, by provider and by both, each by start', () => {
  const bookingIndex = bookingIndexOf({ booked: [a, b, c, d, e], shared: [] })
  for (const _ of ['first', 'again']) {
    assert.deepEqual(bookingIndex.ofService('s_1'), countReservations([c, e, b, a]))
    assert.deepEqual(bookingIndex.ofService('s_2'), countReservations([d]))
    assert.deepEqual(bookingIndex.ofProvider(1), countReservations([d, c, e, a]))
    assert.deepEqual(bookingIndex.ofProvider(2), countReservations([b]))
    assert.deepEqual(bookingIndex.ofBoth('s_1', 1), [c, e, a])
    assert.deepEqual(bookingIndex.ofBoth('s_1', 2), [b])
    assert.deepEqual(bookingIndex.ofBoth('s_2', 2), [])
  }
  assert.deepEqual(bookingIndexOf({ booked: [c, e, a, b], shared: [] }).ofBoth('s_1', 1), [c, e, a])
})

test('a collective reservation counts for every provider that it occupies, and once for its service', () => {
  const bookingIndex = bookingIndexOf({ booked: [a, b], shared: [{ ...a, providerId: 2 }] })
  assert.deepEqual(bookingIndex.ofProvider(1), countReservations([a]))
  assert.deepEqual(bookingIndex.ofProvider(2), countReservations([b, a]))
  assert.deepEqual(bookingIndex.ofService('s_1'), countReservations([b, a]))
  assert.deepEqual(bookingIndex.ofBoth('s_1', 2), [b])
})

test('a part is sorted once, however often it is asked for', () => {
  const bookingIndex = bookingIndexOf({ booked: [a, b, c], shared: [] })
  assert.equal(bookingIndex.ofService('s_1'), bookingIndex.ofService('s_1'))
  assert.equal(bookingIndex.ofProvider(1), bookingIndex.ofProvider(1))
  assert.equal(bookingIndex.ofBoth('s_1', 1), bookingIndex.ofBoth('s_1', 1))
})

test('a ledger without reservations has none of anything', () => {
  const bookingIndex = bookingIndexOf({ booked: [], shared: [] })
  assert.deepEqual(bookingIndex.ofService('s_1'), countReservations([]))
  assert.deepEqual(bookingIndex.ofProvider(1), countReservations([]))
  assert.deepEqual(bookingIndex.ofBoth('s_1', 1), [])
})

for (const [what, reserved, starts, counts] of [
  ['nothing reserved', [], [10, 20], []],
  ['two of one slot', [10, 10], [10, 20], [[10, 2]]],
  [
    'starts before, between and after',
    [5, 20, 25, 40, 90],
    [10, 20, 30, 40, 50],
    [
      [20, 1],
      [40, 1],
    ],
  ],
  ['the last start', [50, 50, 50], [10, 50], [[50, 3]]],
  ['no starts', [10], [], []],
] as const satisfies readonly (readonly [
  string,
  readonly number[],
  readonly number[],
  readonly (readonly [number, number])[],
])[])
  test(`reservations of listed slots are counted: ${what}`, () => {
    const sorted = reserved.map((start) => of('s_1', 1, start))
    assert.deepEqual([...countsOf(sorted, starts, 60)], counts)
  })

test('a reservation of another length is of another slot', () => {
  const long = booking({ start: 10, end: 80 })
  assert.deepEqual([...countsOf([long, of('s_1', 1, 10)], [10], 60)], [[10, 1]])
})
