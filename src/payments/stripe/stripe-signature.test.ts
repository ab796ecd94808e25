import assert from 'node:assert/strict'
import { test } from 'node:test'
import Stripe from 'stripe'
import { isSignedByStripe } from './stripe-signature.operations.ts'

const now = 1_800_000_000
const secret = 'whsec_current0123456789'
const payload = JSON.stringify({ id: 'evt_1', object: 'event', type: 'checkout.session.completed', name: 'Zoë' })
const sign = (change: object = {}) =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: now, ...change })
const accepts = (header: string, { body = payload, secrets = [secret] as readonly string[] } = {}) =>
  isSignedByStripe(Buffer.from(body), header, { secrets, now })

test('the signature that the library of Stripe makes is accepted', () => assert.ok(accepts(sign())))

test('while a secret is replaced, both count, and so does a header with both signatures', () => {
  const old = 'whsec_previous012345678'
  assert.ok(accepts(sign({ secret: old }), { secrets: [secret, old] }))
  assert.ok(accepts(`${sign({ secret: old })},${sign().split(',')[1]}`))
})

for (const [name, header, body] of [
  ['another secret', sign({ secret: 'whsec_another0123456789' }), payload],
  ['a changed body', sign(), payload.replace('completed', 'expired')],
  ['a time too long ago', sign({ timestamp: now - 301 }), payload],
  ['a time too far ahead', sign({ timestamp: now + 301 }), payload],
  ['another time than the signed one', sign().replace(`t=${now}`, `t=${now - 1}`), payload],
  ['another scheme', sign().replace('v1=', 'v0='), payload],
  ['no time', sign().replace(/t=\d+,/, ''), payload],
  ['no header', '', payload],
] as const)
  test(`${name} is refused`, () => assert.ok(!accepts(header, { body })))

test('without a secret nothing is accepted, not even a signature with the empty one', () => {
  assert.ok(!accepts(sign(), { secrets: [] }))
  assert.ok(!accepts(sign({ secret: ' ' }), { secrets: [''] }))
})
