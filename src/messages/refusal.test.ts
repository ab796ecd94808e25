import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal, wrongFields } from './refusal.ts'

test('a refusal is an error that carries plain data, fields only where some are at fault', () => {
  const plain = new Refusal('slot_full', 'Choose another time.')
  assert.deepEqual([plain.name, plain.message], ['Refusal', 'Choose another time.'])
  assert.deepEqual(plain.refused, { code: 'slot_full', sentence: 'Choose another time.' })
  const details = { name: 'Is missing.' }
  const refused = { code: 'invalid_parameter', sentence: 'Look at name.', details }
  assert.deepEqual(new Refusal('invalid_parameter', 'Look at name.', details).refused, refused)
})

test('a refusal is lasting only where it is said to be', () => {
  const sentence = 'Choose another time.'
  const refused = { code: 'slot_full', sentence, lasting: true }
  assert.deepEqual(new Refusal('slot_full', sentence, undefined, { lasting: true }).refused, refused)
  assert.deepEqual(new Refusal('slot_full', sentence, undefined, {}).refused, { code: 'slot_full', sentence })
})

test('wrong fields are refused together, each named and with what is wrong with it', () => {
  const details = { start: 'Is missing.', 'data.color': 'Must be a CSS colour.' }
  assert.deepEqual(wrongFields(details).refused, {
    code: 'invalid_parameter',
    sentence: 'Something is wrong with what was sent; see: start, data.color.',
    details,
  })
})
