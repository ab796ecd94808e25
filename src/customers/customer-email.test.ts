import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contactKey, emailToKeep, recordWithoutPlaceholder, shownEmail, withoutPlaceholder } from './customer-email.ts'

const without = { id: 'c_1', email: '' }
const withOne = { id: 'c_1', email: 'jo@example.com' }

test('a customer without an e-mail address has a placeholder derived from the id', () => {
  assert.equal(shownEmail(without), 'c_1@no-email.invalid')
  assert.equal(shownEmail(withOne), 'jo@example.com')
})

for (const [sent, customer, kept] of [
  ['kim@example.com', undefined, 'kim@example.com'],
  ['kim@example.com', without, 'kim@example.com'],
  ['', withOne, ''],
  ['c_1@no-email.invalid', without, ''],
  ['C_1@NO-EMAIL.invalid', without, ''],
  // An integration may send back the placeholder address that it read before the customer had an e-mail address. The
  // stored address remains.
  ['c_1@no-email.invalid', withOne, 'jo@example.com'],
  ['c_2@no-email.invalid', without, undefined],
  ['c_1@no-email.invalid', undefined, undefined],
  ['jo@no-email.invalid.example', undefined, 'jo@no-email.invalid.example'],
] as const)
  test(`"${sent}" for ${customer ? customer.email || 'one without an address' : 'a new one'} is kept as ${kept ?? 'refused'}`, () =>
    assert.equal(emailToKeep(sent, customer), kept))

test('every placeholder counts as no address', () => {
  assert.equal(withoutPlaceholder('c_9@No-Email.Invalid'), '')
  assert.deepEqual(recordWithoutPlaceholder({ id: 'c_9', email: 'c_9@no-email.invalid' }), { id: 'c_9', email: '' })
  assert.deepEqual(recordWithoutPlaceholder({ id: 's_1' }), { id: 's_1' })
})

test('customers without an address are distinguished by their phone number', () => {
  assert.equal(contactKey({ phone: '+49 30 1' }), contactKey({ email: 'c_9@no-email.invalid', phone: '+49-301' }))
  assert.notEqual(contactKey({ phone: '1' }), contactKey({ phone: '2' }))
  assert.equal(contactKey({ email: 'Jo@Example.com', phone: '1' }), contactKey({ email: 'jo@example.com', phone: '2' }))
})
