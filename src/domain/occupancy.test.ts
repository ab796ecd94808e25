import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSlot, slotKey } from './occupancy.ts'

test('a slot is named by its service, start and end', () => assert.equal(slotKey('s_1', 10, 20), 's_1:10:20'))

for (const [what, time, is] of [
  ['its own time', { start: 10, end: 20 }, true],
  ['its buffers too', { start: 5, end: 25 }, true],
  ['less than itself at the start', { start: 11, end: 20 }, false],
  ['less than itself at the end', { start: 10, end: 19 }, false],
] as const)
  test(`what took ${what} ${is ? 'is' : 'is not'} the slot`, () => {
    assert.equal(isSlot({ ...time, slot: 's_1:10:20', taken: 1 }, 's_1', 10, 20), is)
    assert.equal(isSlot({ ...time, slot: 's_2:10:20', taken: 1 }, 's_1', 10, 20), false)
  })
