import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../client.ts'
import { createRequestKeys } from './request-keys.ts'

const refused = (status: 400 | 409, reason: string) =>
  new ApiError(status, { status: 'KO', code: status, reason, error: 'Refused.' })
const overloaded = new ApiError(503, { code: 'rest_unavailable', message: 'Overloaded.', data: { status: 503 } })

const keys = () => {
  let count = 0
  return createRequestKeys(() => `key ${++count}`)
}
const refund = { body: { reservationId: 'r_1', amount: 2_000 } }

for (const [how, error] of [
  ['its response was lost', new TypeError('Failed to fetch')],
  ['a proxy answered with a page', new SyntaxError('Unexpected token <')],
  ['the service was overloaded', overloaded],
  ['the service is still performing it', refused(409, 'idempotency_in_progress')],
] as const)
  test(`a request that is sent again because ${how} has the same key`, () => {
    const { keyOf, ended } = keys()
    assert.equal(keyOf(refund), 'key 1')
    ended(error)
    assert.equal(keyOf({ body: { ...refund.body } }), 'key 1')
  })

test('the same request has a new key after a success and after a refusal', () => {
  const { keyOf, ended } = keys()
  assert.equal(keyOf(refund), 'key 1')
  ended()
  assert.equal(keyOf(refund), 'key 2')
  ended(refused(400, 'invalid_parameter'))
  assert.equal(keyOf(refund), 'key 3')
})

test('a request with other values has a new key', () => {
  const { keyOf, ended } = keys()
  assert.equal(keyOf(refund), 'key 1')
  ended(new TypeError('Failed to fetch'))
  assert.equal(keyOf({ body: { ...refund.body, amount: 3_000 } }), 'key 2')
})
