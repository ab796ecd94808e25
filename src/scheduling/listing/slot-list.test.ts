import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Slot } from '../plan/plan.ts'
import { mergedSlots, type SlotList, slotListOf, slotsOf } from './slot-list.ts'

const slot = (providerId: number, start: number): Slot => ({
  serviceId: 's_1',
  providerId,
  start,
  end: start + 60,
  bookable: true,
  routingMode: 'direct',
  eligibleProviderIds: [providerId],
  reservationsCount: 0,
  overrides: {},
})
const list = (providerId: number, ...starts: number[]) => slotListOf(starts.map((start) => slot(providerId, start)))
const shown = (of: SlotList) => slotsOf(of).map(({ start, providerId }) => `${start}/${providerId}`)

for (const [what, lists, order] of [
  ['no lists', [], []],
  ['one list', [list(1, 10, 20)], ['10/1', '20/1']],
  ['empty lists', [list(1), list(2)], []],
  ['one after the other', [list(1, 30, 40), list(2, 10, 20)], ['10/2', '20/2', '30/1', '40/1']],
  ['an empty one between', [list(1, 10), list(2), list(3, 5)], ['5/3', '10/1']],
  ['equal starts', [list(2, 10, 20), list(1, 10, 20)], ['10/2', '10/1', '20/2', '20/1']],
  ['several that start at once', [list(1, 10, 10, 20), list(2, 10, 15)], ['10/1', '10/1', '10/2', '15/2', '20/1']],
] as const satisfies readonly (readonly [string, readonly SlotList[], readonly string[]])[])
  test(`slots of many lists come by start, then by list: ${what}`, () => {
    const all = mergedSlots(lists)
    assert.deepEqual(shown(all), order)
    assert.deepEqual(
      Array.from(all.starts),
      order.map((text) => Number(text.split('/')[0])),
    )
  })

for (const count of [2, 63, 64, 65, 129, 200, 300])
  test(`${count} lists are merged like two`, () => {
    const lists = Array.from({ length: count }, (_, index) => list(index, 100 - (index % 7), 200))
    const expected = lists
      .flatMap(slotsOf)
      .map((one, index) => ({ one, index }))
      .sort((a, b) => a.one.start - b.one.start || a.index - b.index)
      .map(({ one }) => `${one.start}/${one.providerId}`)
    assert.deepEqual(shown(mergedSlots(lists)), expected)
  })

test('one list alone is given back as it is', () => {
  const only = list(1, 10)
  assert.equal(mergedSlots([only]), only)
})

test('a slot is made when it is asked for, and there is none at an index that the list does not have', () => {
  let made = 0
  const lazy: SlotList = {
    starts: [10, 20],
    slotAt(index) {
      made += 1
      return slot(1, index)
    },
  }
  const all = mergedSlots([lazy, list(2, 15)])
  assert.equal(made, 0)
  assert.deepEqual(all.slotAt(1), slot(2, 15))
  assert.equal(made, 0)
  const none = { name: 'RangeError', message: 'The list has no slot at this index.' }
  for (const one of [list(1, 10), mergedSlots([])]) assert.throws(() => one.slotAt(9), none)
})
