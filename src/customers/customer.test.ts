import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blocked, type Customer, emailKey, shownCustomer, shownCustomerInFull } from './customer.ts'

test('addresses are equal regardless of case and of the encoding of accents', () => {
  assert.equal(emailKey('Jo.Park@Example.COM'), emailKey('jo.park@example.com'))
  assert.equal(emailKey('jos\u00e9@example.com'), emailKey('jose\u0301@example.com'))
  assert.notEqual(emailKey('jo@example.com'), emailKey('jo@example.org'))
  assert.notEqual(emailKey('jo@straße.example'), emailKey('jo@strasse.example'))
})

test('lists have seven fields of a customer, the history the status too', () => {
  const shown = { id: 'c_1', name: 'Jo', email: 'jo@a.example', phone: '1', timezone: null, language: 'de' }
  const customer: Customer = { ...shown, hostUserId: 7, status: blocked }
  assert.deepEqual(shownCustomer(customer), { ...shown, host_user: 7 })
  assert.deepEqual(shownCustomerInFull(customer), { ...shown, host_user: 7, status: 2 })
})
