import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slotOf, slotValuesOf } from './slot-values.ts'

for (const [what, slot] of [
  ['every property', { price: 1250, currency: 'CHF', capacity: 2, location: 'Room 2', title: 'Late', note: 'Ring' }],
  ['a price of a currency without decimals', { price: 1250, currency: 'JPY' }],
  ['a price in whatever currency the service has', { price: 0 }],
  ['a currency without a price', { currency: 'CHF' }],
  ['colour and approval', { color: '#2f6fd0', approval: 'none' }],
] as const)
  test(`${what} of slots is preserved by an unchanged form`, () =>
    assert.deepEqual(slotOf(slotValuesOf(slot, 'EUR'), 'EUR'), slot))

test('a form without properties, or with blanks only, yields no slot properties', () =>
  assert.equal(slotOf({ ...slotValuesOf(undefined, 'EUR'), title: ' ', location: '' }, 'EUR'), undefined))

test('a price that is entered is stored with the currency in which the form shows it', () =>
  assert.deepEqual(slotOf({ ...slotValuesOf(undefined, 'EUR'), price: 12.5 }, 'EUR'), { price: 1250, currency: 'EUR' }))
