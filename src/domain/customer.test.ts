import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emailKey } from './customer.ts'

test('addresses are the same in any case and any spelling of an accent', () => {
  assert.equal(emailKey('Jo.Park@Example.COM'), emailKey('jo.park@example.com'))
  assert.equal(emailKey('jos\u00e9@example.com'), emailKey('jose\u0301@example.com'))
  assert.notEqual(emailKey('jo@example.com'), emailKey('jo@example.org'))
})
