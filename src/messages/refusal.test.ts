import assert from 'node:assert/strict'
import { test } from 'node:test'
import { message } from './message.ts'
import { fieldRefusal, Refusal, refusal, wrongFields } from './refusal.ts'
import { sentence } from './sentence.ts'

test('a refusal carries plain data, fields only where some are at fault', () => {
  const plain = refusal('slot_full')
  assert.equal(plain.name, 'Refusal')
  assert.deepEqual(plain.refused, { code: 'slot_full', message: { code: 'slot_full' } })
  const details = { name: message('send_name') }
  const refused = { code: 'invalid_parameter', message: message('token_name_missing'), details } as const
  assert.deepEqual(new Refusal(refused).refused, refused)
})

test('a refusal for one field says beside it what it says above', () => {
  const about = { code: 'service_not_found' }
  const refused = { code: 'service_not_found', message: about, details: { serviceId: about } }
  assert.deepEqual(fieldRefusal('serviceId', 'service_not_found').refused, refused)
})

test('a refusal survives JSON and the way between threads', () => {
  const { refused } = refusal('user_exists', { email: 'ana@example.com' })
  assert.deepEqual(JSON.parse(JSON.stringify(refused)), refused)
  assert.deepEqual(structuredClone(refused), refused)
})

test('wrong fields are refused together, each named and with what is wrong with it', () => {
  const details = { start: message('sent_more_than_once'), 'data.color': message('must_be_color') }
  const wrong = wrongFields(details)
  assert.deepEqual(wrong.refused, {
    code: 'invalid_parameter',
    message: { code: 'invalid_parameter', parameters: { names: ['start', 'data.color'] } },
    details,
  })
  assert.equal(sentence(wrong.refused.message), 'Some values are invalid: start, data.color.')
})
