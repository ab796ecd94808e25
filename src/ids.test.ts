import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId, newOrdinalId, newSalt } from './ids.ts'

test('an identifier is its prefix and 32 letters or digits', () => {
  assert.match(newId('reservation'), /^r_[0-9A-Za-z]{32}$/)
  assert.match(newId('service'), /^s_[0-9A-Za-z]{32}$/)
  assert.match(newId('customer'), /^c_[0-9A-Za-z]{32}$/)
  assert.match(newId('event'), /^evt_[0-9A-Za-z]{32}$/)
  assert.match(newId('token'), /^tok_[0-9A-Za-z]{32}$/)
  assert.match(newId('occupancy'), /^o_[0-9A-Za-z]{32}$/)
})

test('identifiers sort by the order they were made in, by code point, and none comes twice', () => {
  const made = Array.from({ length: 20_000 }, () => newId('customer'))
  assert.deepEqual(made, [...new Set(made)].sort())
})

test('what cannot be guessed of an identifier uses every letter and digit alike', () => {
  const counts = new Map<string, number>()
  for (let i = 0; i < 5000; i++) {
    for (const digit of newId('customer').slice(-23)) counts.set(digit, (counts.get(digit) ?? 0) + 1)
  }
  const expected = (5000 * 23) / 62
  assert.equal(counts.size, 62)
  // Seven standard deviations: chance alone fails this once in ten billion runs; a biased digit fails it always.
  for (const [digit, count] of counts) assert.ok(Math.abs(count - expected) < 7 * Math.sqrt(expected), digit)
})

test('salts are 128 bits as hexadecimal digits, and none comes twice', () => {
  const made = Array.from({ length: 5_000 }, newSalt)
  assert.equal(new Set(made).size, made.length)
  for (const salt of made) assert.match(salt, /^[0-9a-f]{32}$/)
  const bits = made
    .join('')
    .split('')
    .reduce((sum, digit) => sum + Number.parseInt(digit, 16).toString(2).split('1').length - 1, 0)
  // Half of all random bits are set; a difference of seven standard deviations means that they are biased.
  assert.ok(Math.abs(bits - 5_000 * 64) < 7 * Math.sqrt(5_000 * 32))
})

test('ordinals grow with every call and are microseconds of the clock', () => {
  const before = Date.now() * 1000
  const made = Array.from({ length: 1000 }, newOrdinalId)
  assert.deepEqual(
    made,
    [...new Set(made)].sort((a, b) => a - b),
  )
  assert.ok(Number(made[0]) >= before)
})
