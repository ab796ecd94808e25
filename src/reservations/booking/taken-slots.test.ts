import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Context, Outcome } from '../../db/perform/app.ts'
import type { Write } from '../../db/perform/perform.ts'
import { message } from '../../messages/message.ts'
import { refusal } from '../../messages/refusal.ts'
import { TakenSlots } from './taken-slots.operations.ts'

const context: Context = {
  now: 1000,
  actor: { kind: 'token', id: 't' },
  requestId: null,
  dryRun: false,
  idempotency: null,
}
const slot = { serviceId: 's_1', providerId: 1, start: 2000, end: 2900, availabilityId: 'a.b' }

function booking(input: object = {}, more: Partial<Context> = {}): Write {
  return { name: 'reservations.add', input: { customerId: 'c_1', ...slot, ...input }, context: { ...context, ...more } }
}

const full: Outcome<unknown> = { refused: { code: 'slot_full', message: message('slot_full'), lasting: true } }
const done: Outcome<unknown> = { ok: { id: 'r_1' } }
const cancelled: Write = { name: 'reservations.edit', input: { id: 'r_1', status: 'cancelled' }, context }

function knowing(): TakenSlots {
  const taken = new TakenSlots()
  taken.learn(booking(), full)
  return taken
}

test('a slot that was refused as taken is refused again, to customers who may book', () => {
  const taken = knowing()
  assert.equal(taken.refusal(booking()), full)
  assert.equal(taken.refusal(booking({ customerId: 'c_2' })), undefined)
  taken.learn(booking({ customerId: 'c_2' }), full)
  assert.equal(taken.refusal(booking({ customerId: 'c_2' })), full)
})

test('a dry run is refused as well', () => assert.equal(knowing().refusal(booking({}, { dryRun: true })), full))

const others: readonly (readonly [string, Write])[] = [
  ['another start', booking({ start: 2900, end: 3800 })],
  ['another provider', booking({ providerId: 2 })],
  ['another service', booking({ serviceId: 's_2' })],
  ['another id of the slot', booking({ availabilityId: 'b.b' })],
  ['a customer never seen', booking({ customerId: 'c_9' })],
  ['another second', booking({}, { now: 1001 })],
  ['a key under which the answer is kept', booking({}, { idempotency: { scope: 's', key: 'k', hash: 'h' } })],
  ['another operation', { ...booking(), name: 'reservations.edit' }],
]
for (const [what, write] of others)
  test(`${what} is left to the writer`, () => assert.equal(knowing().refusal(write), undefined))

const after: readonly (readonly [string, Write, Outcome<unknown>, boolean])[] = [
  ['another booking', booking({ start: 2900, end: 3800 }), done, true],
  ['a refused edit', cancelled, { refused: refusal('reservation_active').refused }, true],
  ['an edit that was only tried', { ...cancelled, context: { ...context, dryRun: true } }, done, true],
  ['an edit', cancelled, done, false],
  ['a repeated edit', cancelled, { ok: {}, replayed: true }, false],
  ['a fault', booking(), { fault: 'unavailable', message: 'disk' }, false],
]
for (const [what, write, outcome, stays] of after)
  test(`after ${what} the refusal ${stays ? 'stays' : 'is forgotten'}`, () => {
    const taken = knowing()
    taken.learn(write, outcome)
    assert.equal(taken.refusal(booking()), stays ? full : undefined)
  })

test('a refusal that a booking may change, or of another second, is not remembered', () => {
  for (const outcome of [
    { refused: { code: 'slot_limit', message: message('limit_per_service_day') } },
    { ...full, replayed: true },
  ] as const satisfies readonly Outcome<unknown>[]) {
    const taken = new TakenSlots()
    taken.learn(booking(), outcome)
    assert.equal(taken.refusal(booking()), undefined)
  }
})
