import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numberText, readNumber } from './numbers.ts'

const none = undefined
const tags = ['en', 'de', 'fr', 'es'] as const

for (const [text, ...read] of [
  ['7', 7, 7, 7, 7],
  [' +7 ', 7, 7, 7, 7],
  ['-1234', -1234, -1234, -1234, -1234],
  ['1.5', 1.5, 1.5, 1.5, 1.5],
  ['.5', 0.5, 0.5, 0.5, 0.5],
  ['0.125', 0.125, 0.125, 0.125, 0.125],
  ['1234.567', 1234.567, 1234.567, 1234.567, 1234.567],
  ['1,5', none, 1.5, 1.5, 1.5],
  ['1,000', 1000, 1, 1, 1],
  ['1.000', 1, 1000, none, 1000],
  ['1,234,567', 1_234_567, none, none, none],
  ['1.234.567', none, 1_234_567, none, 1_234_567],
  ['1,234.5', 1234.5, none, none, none],
  ['1.234,5', none, 1234.5, none, 1234.5],
  ['1 234', 1234, 1234, 1234, 1234],
  ['1\u202f234,5', none, 1234.5, 1234.5, 1234.5],
  ['1\u00a0234\u00a0567,5', none, 1_234_567.5, 1_234_567.5, 1_234_567.5],
  ['12,34', none, 12.34, 12.34, 12.34],
  ['1234,567', none, 1234.567, 1234.567, 1234.567],
  ['0,125', none, 0.125, 0.125, 0.125],
  ['12 34', none, none, none, none],
  ['1 234.567 890', none, none, none, none],
  ['1,2,3', none, none, none, none],
  ['1.2.3', none, none, none, none],
  ['1.', none, none, none, none],
  ['.', none, none, none, none],
  ['1e3', none, none, none, none],
  ['0x10', none, none, none, none],
  ['- 1', none, none, none, none],
  ['', none, none, none, none],
  ['seven', none, none, none, none],
] as const)
  test(`"${text}" is read as ${tags.map((tag, at) => `${read[at] ?? 'no number'} in ${tag}`).join(', ')}`, () =>
    assert.deepEqual(
      tags.map((tag) => readNumber(text, tag)),
      read,
    ))

for (const [text, tag, read] of [
  ['1,234.5', 'es-MX', 1234.5],
  ['1’234.5', 'de-CH', 1234.5],
  ["1'234.5", 'de-CH', 1234.5],
  ['1.234', 'de-AT', none],
] as const)
  test(`"${text}" is read by the region of ${tag}`, () => assert.equal(readNumber(text, tag), read))

test('a number that a page shows is read as the same number', () => {
  for (const tag of [...tags, 'de-CH', 'ar-EG'])
    for (const value of [0, -1.5, 1.234, 1234, 1234.567])
      assert.equal(readNumber(numberText(value, tag), tag), value, `${value} in ${tag}`)
})
