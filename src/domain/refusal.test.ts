import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from './refusal.ts'

test('a refusal is an error that carries plain data, fields only where some are at fault', () => {
  const plain = new Refusal('slot_full', 'Choose another time.')
  assert.deepEqual([plain.name, plain.message], ['Refusal', 'Choose another time.'])
  assert.deepEqual(plain.refused, { code: 'slot_full', sentence: 'Choose another time.' })
  const details = { name: 'Is missing.' }
  const refused = { code: 'invalid_parameter', sentence: 'Look at name.', details }
  assert.deepEqual(new Refusal('invalid_parameter', 'Look at name.', details).refused, refused)
})
