import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeData, sameJson, tooMuchData } from './data.ts'
import { message } from './messages/message.ts'

test('changes are merged key by key, one level deep', () => {
  assert.deepEqual(mergeData({ a: { x: 1 }, b: 2 }, { a: { y: 1 }, c: 3 }), { a: { y: 1 }, b: 2, c: 3 })
})

test('null deletes a key, and one that is not there too', () => {
  assert.deepEqual(mergeData({ a: 1, b: 2 }, { a: null, z: null }), { b: 2 })
})

test('the stored data itself changes nothing, also where it holds null', () => {
  const stored = { a: null, b: 1 }
  assert.deepEqual(mergeData(stored, { b: 1, a: null }), stored)
  assert.deepEqual(mergeData(stored, { a: null }), { b: 1 })
})

test('__proto__ is a plain key: kept, shown and deleted like any other', () => {
  const sent = JSON.parse('{"__proto__": {"admin": true}}')
  const merged = mergeData({ a: 1 }, sent)
  assert.equal(JSON.stringify(merged), '{"a":1,"__proto__":{"admin":true}}')
  assert.equal(Object.getPrototypeOf(merged), Object.prototype)
  assert.equal(JSON.stringify(mergeData(merged, JSON.parse('{"__proto__": null}'))), '{"a":1}')
})

const numbered = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]))

test('64 keys fit and 65 do not', () => {
  assert.equal(tooMuchData(numbered(64)), undefined)
  assert.deepEqual(tooMuchData(numbered(65)), message('data_keys_exceeded', { count: 64 }))
})

test('16 KB of JSON fit, one byte more does not; bytes are counted, not characters', () => {
  const overhead = '{"a":""}'.length
  assert.equal(tooMuchData({ a: 'x'.repeat(16_384 - overhead) }), undefined)
  assert.deepEqual(tooMuchData({ a: 'x'.repeat(16_385 - overhead) }), message('data_bytes_exceeded', { count: 16_384 }))
  assert.deepEqual(tooMuchData({ a: 'é'.repeat(8_200) }), message('data_bytes_exceeded', { count: 16_384 }))
})

const same: [string, string][] = [
  ['{"a":1,"b":[1,{"c":null}]}', '{"b":[1,{"c":null}],"a":1}'],
  ['[]', '[]'],
  ['"x"', '"x"'],
  ['null', 'null'],
]
for (const [one, other] of same) {
  test(`${one} means the same as ${other}`, () => assert.equal(sameJson(JSON.parse(one), JSON.parse(other)), true))
}

const different: [string, string][] = [
  ['{"a":1}', '{"a":"1"}'],
  ['{"a":1}', '{"b":1}'],
  ['{"a":1}', '{"a":1,"b":2}'],
  ['[1,2]', '[2,1]'],
  ['[]', '{}'],
  ['[1]', '{"0":1}'],
  ['[1]', '[1,2]'],
  ['[1,2]', '[1,3]'],
  ['{"a":1,"b":2}', '{"a":1,"b":3}'],
  ['null', '{}'],
  ['{"toString":1}', '{"a":1}'],
  ['{"__proto__":1}', '{"a":1}'],
]
for (const [one, other] of different) {
  test(`${one} differs from ${other}`, () => {
    assert.equal(sameJson(JSON.parse(one), JSON.parse(other)), false)
    assert.equal(sameJson(JSON.parse(other), JSON.parse(one)), false)
  })
}
