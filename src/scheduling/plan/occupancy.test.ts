import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstWithin, noTimes, seatsOf, slotKey, TimeColumns } from './occupancy.ts'

test('a slot is named by its service, start and end', () => assert.equal(slotKey('s_1', 10, 20), 's_1:10:20'))

const wanted = { serviceId: 's_1', start: 10, end: 20 }
for (const [what, start, end, seats] of [
  ['its own time', 10, 20, 3],
  ['its buffers too', 5, 25, 3],
  ['less than itself at the start', 11, 20, 0],
  ['less than itself at the end', 10, 19, 0],
] as const)
  test(`what took ${what} ${seats > 0 ? 'is' : 'is not'} the slot`, () => {
    const of = (slot: string) => {
      const columns = new TimeColumns<string>(1)
      columns.add(start, end, slot, 3)
      return columns.since(0)
    }
    assert.equal(seatsOf(of('s_1:10:20'), wanted), seats)
    assert.equal(seatsOf(of('s_2:10:20'), wanted), 0)
  })

test('the seats of a slot are counted from a row on, and of one provider alone', () => {
  const columns = new TimeColumns<string>(3)
  columns.add(10, 20, 's_1:10:20', 2)
  const other = columns.length
  columns.add(0, 10, 's_1:0:10')
  columns.add(10, 20, 's_1:10:20', 5)
  assert.equal(seatsOf(columns.since(0), wanted), 2)
  assert.equal(seatsOf(columns.since(other), wanted), 5)
  assert.equal(seatsOf(columns.since(0), wanted, 1), 5)
  assert.equal(seatsOf(columns.since(other), wanted, 3), 0)
  assert.equal(seatsOf(noTimes, wanted), 0)
})

test('seats that are alike are one row, and not those of another slot, end or provider', () => {
  const columns = new TimeColumns<string>(8)
  columns.addSeat(0, 10, 20, 'a')
  const first = columns.length
  for (const [end, slot] of [
    [20, 'a'],
    [20, 'b'],
    [30, 'a'],
    [20, 'a'],
    [20, 'b'],
  ] as const)
    columns.addSeat(first, 10, end, slot)
  columns.addSeat(first, 11, 20, 'a')
  const { starts, ends, marks, counts, after } = columns.since(first)
  const rows = marks.slice(first, after).map((mark, at) => {
    const row = first + at
    return [starts[row], ends[row], mark, counts[row]]
  })
  assert.deepEqual(rows, [
    [10, 20, 'a', 2],
    [10, 20, 'b', 2],
    [10, 30, 'a', 1],
    [11, 20, 'a', 1],
  ])
  assert.equal(columns.room, 3)
})

test('a row for which there is no room is refused', () => {
  const columns = new TimeColumns<string>(1)
  columns.add(10, 20, 'a')
  assert.equal(columns.room, 0)
  assert.throws(() => columns.add(20, 30, 'b'), new RangeError('There is room for 1 times.'))
  assert.equal(columns.length, 1)
})

test('rows of others are taken over from one on', () => {
  const from = new TimeColumns<string>(3)
  for (const start of [1, 2, 3]) from.add(start, start + 1, `at ${start}`, start)
  const columns = new TimeColumns<string>(2)
  columns.copy(from.since(0), 1)
  const { starts, ends, marks, counts } = columns.since(0)
  assert.deepEqual(
    [[...starts], [...ends], marks, [...counts]],
    [
      [2, 3],
      [3, 4],
      ['at 2', 'at 3'],
      [2, 3],
    ],
  )
})

test('the first time in the way is the first that shares an instant, of one kind where that is asked', () => {
  const columns = new TimeColumns<'calendar' | 'time_off'>(4)
  columns.add(0, 10, 'calendar')
  columns.add(15, 20, 'time_off')
  columns.add(16, 18, 'calendar')
  const rows = columns.since(0)
  assert.deepEqual(firstWithin(rows, { start: 10, end: 20 }), { start: 15, end: 20 })
  assert.deepEqual(firstWithin(rows, { start: 10, end: 20 }, 'calendar'), { start: 16, end: 18 })
  assert.equal(firstWithin(rows, { start: 10, end: 15 }), undefined)
  assert.equal(firstWithin(rows, { start: 20, end: 30 }), undefined)
  assert.deepEqual(firstWithin(columns.since(1), { start: 0, end: 30 }), { start: 15, end: 20 })
  assert.equal(firstWithin(noTimes, { start: 0, end: 30 }), undefined)
})
