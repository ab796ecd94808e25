import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { overridesFrom } from './opening-settings.ts'

describe('settings in the title of an event', () => {
  const right = [
    ['', {}],
    ['[price=60]', { price: 6_000 }],
    ['[Price = 59,5][capacity=3]', { price: 5_950, capacity: 3 }],
    ['[price=0]', { price: 0 }],
    ['[location=Room 2][title=Yoga][note=Bring a mat]', { location: 'Room 2', title: 'Yoga', note: 'Bring a mat' }],
    ['[approval=Provider]', { approval: 'provider' }],
    ['[note=a=b]', { note: 'a=b' }],
  ] as const
  for (const [text, overrides] of right)
    test(`${text || 'none'} sets ${JSON.stringify(overrides)}`, () =>
      assert.deepEqual(overridesFrom(text, 'EUR'), { overrides }))

  const wrong = [
    ['[price=sixty]', 'invalid_value'],
    ['[price=-1]', 'invalid_value'],
    ['[price=1.234]', 'invalid_value'],
    ['[capacity=0]', 'invalid_value'],
    ['[capacity=2.5]', 'invalid_value'],
    ['[approval=maybe]', 'invalid_value'],
    ['[location=]', 'invalid_value'],
    [`[title=${'x'.repeat(201)}]`, 'invalid_value'],
    ['[colour=red]', 'unknown_setting'],
    ['[__proto__=1]', 'unknown_setting'],
    ['[=1]', 'unknown_setting'],
    ['[price=60][price=70]', 'invalid_value'],
  ] as const
  for (const [text, code] of wrong)
    test(`${text.slice(0, 30)} is ${code}`, () => {
      const read = overridesFrom(text, 'EUR')
      assert.ok('code' in read)
      assert.equal(read.code, code)
      assert.ok(read.part.length <= 100)
    })

  test('a price has the decimals of its currency', () => {
    assert.deepEqual(overridesFrom('[price=1200]', 'JPY'), { overrides: { price: 1_200 } })
    assert.ok('code' in overridesFrom('[price=12.5]', 'JPY'))
  })
})
