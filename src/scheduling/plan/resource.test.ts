import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  overflowResource,
  parseResource,
  providerIdOf,
  providerResource,
  resourceLock,
  resourceName,
  timeResource,
} from './resource.ts'

for (const [name, kind, id] of [
  ['p7', 'provider', 7],
  ['r3', 'room', 3],
  ['e12', 'equipment', 12],
  ['o7', 'overflow', 7],
] as const)
  test(`${name} is ${kind} ${id}`, () => {
    assert.deepEqual(parseResource(name), { kind, id })
    assert.equal(resourceName(name), name)
  })

for (const text of ['', '7', 'p', 'p0', 'p07', 'p-1', 'p1.5', 'p7 ', 'x1', 'o', 'P7', 'provider:7'])
  test(`${JSON.stringify(text)} names no resource`, () => assert.throws(() => parseResource(text), RangeError))

test('a room is never taken for the provider of the same number', () => {
  assert.equal(providerIdOf(providerResource(3)), 3)
  assert.throws(() => providerIdOf('r3'), /r3 is no provider/)
  assert.notEqual(resourceLock('r3'), resourceLock('p3'))
})

test('the overflow of a provider belongs to the time of that provider, and is not the provider', () => {
  assert.equal(timeResource(overflowResource(7)), 'p7')
  assert.equal(timeResource('r3'), 'r3')
  assert.throws(() => providerIdOf('o7'), /o7 is no provider/)
})
