import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withSentences } from '../../test/support/sentences.ts'
import type { Data } from '../data.ts'
import type { EventType } from '../history/event.ts'
import { fieldsBack, keysBack, standUndone, wayBack } from './undo.ts'

const erased = { no: { code: 'undo_entry_erased' } }
const before = { name: 'Ida', phone: '1', email: 'a' }
const after = { name: 'Ada', phone: '2', email: 'a' }
const names = ['name', 'phone', 'email'] as const

for (const [now, since] of [
  [after, []],
  [{ ...after, email: 'b' }, []],
  [{ ...after, name: 'Una' }, ['name']],
  [before, ['name', 'phone']],
] as const)
  test(`of ${Object.values(now).join()} the changed fields go back, ${since.join(' and ') || 'none'} changed since`, () =>
    assert.deepEqual(fieldsBack({ before, after, now }, names), { back: { name: 'Ida', phone: '1' }, since }))

test('a key that the change did not touch is not reverted', () =>
  assert.deepEqual(keysBack({ before: { a: 1, b: 1 }, after: { a: 1, b: 2 }, now: { a: 5, b: 2 } }, 'data'), {
    back: { b: 1 },
    since: [],
  }))

const course = (now: Data) => ({ before: { a: 1, b: [1] }, after: { b: [2], c: 3 }, now })
for (const [now, since] of [
  [{ b: [2], c: 3, d: 4 }, []],
  [{ a: 1, b: [2], c: 3 }, ['data.a']],
  [{ b: [1] }, ['data.b', 'data.c']],
] as const)
  test(`keys that were there go back and others go, ${since.join(' and ') || 'none'} changed since`, () =>
    assert.deepEqual(keysBack(course(now), 'data'), { back: { a: 1, b: [1], c: null }, since }))

const slot = { serviceId: 's', providerId: 1, start: 0, end: 9, status: 'confirmed' }
for (const [what, entry, does] of [
  ['a move', { object: { ...slot, start: 5 }, previous: slot }, 'move'],
  ['another service', { object: { ...slot, serviceId: 't' }, previous: slot }, 'move'],
  ['another provider', { object: { ...slot, providerId: 2 }, previous: slot }, 'move'],
  ['another end', { object: { ...slot, end: 8 }, previous: slot }, 'move'],
  ['another status', { object: slot, previous: { ...slot, status: 'pending' } }, 'edit'],
  ['a return', { object: slot, previous: { ...slot, status: 'cancelled' } }, 'cancel'],
  ['a cancellation', { object: { ...slot, status: 'cancelled' }, previous: slot }, 'edit'],
  [
    'a note on what stays cancelled',
    { object: { ...slot, status: 'cancelled', note: 'Late' }, previous: { ...slot, status: 'cancelled' } },
    'edit',
  ],
  ['an answer', { object: { ...slot, data: { a: 1 } }, previous: { ...slot, data: {} } }, 'edit'],
  ['another customer', { object: { ...slot, customerId: 'c' }, previous: { ...slot, customerId: 'd' } }, 'edit'],
  ['what was erased', { object: null, previous: null }, undefined],
] as const)
  test(`${what} of a reservation is undone by ${does ?? 'nothing'}`, () => {
    const way = wayBack({ type: 'reservation.updated', ...entry })
    assert.equal('does' in way ? way.does : undefined, does)
  })

for (const [what, changed, no] of [
  ['a payment', { payment: { paid: 4_500 } }, 'undo_payment'],
  ['a conflict that staff kept', { keptDespite: ['time_off'] }, 'undo_nothing'],
  ['a confirmed address', { awaits: 'payment' }, 'undo_nothing'],
] as const)
  test(`${what} of a reservation is not undone`, () => {
    const states = { object: { ...slot, data: {}, ...changed }, previous: { ...slot, data: {} } }
    assert.deepEqual(wayBack({ type: 'reservation.updated', ...states }), { no: { code: no } })
  })

test('an attendance is undone', () =>
  assert.deepEqual(wayBack({ type: 'reservation.attendance', ...both(slot) }), { of: 'reservation', does: 'edit' }))

function both(state: Data | null) {
  return { object: state, previous: state }
}

for (const kind of ['reservation', 'customer', 'customer_note', 'service', 'provider', 'time_off'] as const)
  test(`a new ${kind} is removed again, unless what it was has been erased`, () => {
    const type = `${kind}.created` as const
    assert.deepEqual(wayBack({ type, object: slot, previous: null }), { of: kind, does: 'remove' })
    assert.deepEqual(wayBack({ type, object: null, previous: null }), erased)
  })

for (const kind of ['customer', 'service', 'provider', 'time_off', 'site'] as const)
  test(`a changed ${kind} gets its fields back, whichever they are, unless either state has been erased`, () => {
    const type = `${kind}.updated` as const
    const states = { object: { ...slot, start: 5 }, previous: { ...slot, status: 'cancelled' } }
    assert.deepEqual(wayBack({ type, ...states }), { of: kind, does: 'edit' })
    assert.deepEqual(wayBack({ type, ...states, object: null }), erased)
    assert.deepEqual(wayBack({ type, ...states, previous: null }), erased)
  })

for (const kind of ['customer', 'service', 'provider', 'time_off'] as const)
  test(`a ${kind} that was removed is added again, unless what it was has been erased`, () => {
    const type = `${kind}.removed` as const
    assert.deepEqual(wayBack({ type, object: null, previous: slot }), { of: kind, does: 'add' })
    assert.deepEqual(wayBack({ type, object: null, previous: null }), erased)
  })

for (const type of ['pending', 'confirmed', 'cancelled', 'restored'] as const)
  test(`what makes a reservation ${type} is an edit`, () =>
    assert.deepEqual(wayBack({ type: `reservation.${type}`, ...both(slot) }), { of: 'reservation', does: 'edit' }))

const lasting: readonly (readonly [why: string, ...types: EventType[]])[] = [
  ['What was removed cannot be restored; add it again.', 'reservation.removed', 'customer_note.removed'],
  ['This entry only reports a changed local time; the reservation was not changed.', 'reservation.zone_changed'],
  ['Merged customers cannot be separated again.', 'customer.merged'],
  ['Erased data cannot be restored.', 'customer.erased'],
  ['A website user cannot be removed here.', 'host_user.created'],
  ['A token cannot be changed; create another one.', 'token.created', 'token.revoked'],
  [
    'Users, their passwords and sessions are changed under Team and Profile.',
    'user.created',
    'user.updated',
    'user.removed',
    'user.invited',
    'user.password_set',
    'user.second_factor_changed',
    'user.signed_in',
    'user.signed_out',
  ],
]
for (const [why, ...types] of lasting)
  test(`${types.join(', ')} cannot be undone: ${why}`, () => {
    for (const type of types)
      for (const states of [both(slot), both(null)])
        assert.deepEqual(withSentences(wayBack({ type, ...states })), { no: why })
  })

for (const [undoings, undone] of [
  ['', ''],
  ['b>a', 'a'],
  ['c>b b>a', 'b'],
  ['d>c c>b b>a', 'c a'],
  ['d>a c>b b>a', 'a b'],
] as const)
  test(`after ${undoings || 'nothing'}, ${undone || 'nothing'} stands undone`, () => {
    const newestFirst = undoings.split(' ').flatMap((pair) => {
      const [id, undid] = pair.split('>')
      return id && undid ? [{ id, undid }] : []
    })
    assert.deepEqual([...standUndone(newestFirst)].join(' '), undone)
  })
