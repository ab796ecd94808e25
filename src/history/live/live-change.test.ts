import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventType } from '../event.ts'
import { type LiveChange, liveChange, wordOf } from './live-change.ts'

/** Returns midnight UTC of a date, in Unix seconds. */
const at = (date: string) => Date.parse(date) / 1000
const hour = 3_600
const first = { start: at('2026-11-23'), end: at('2026-11-23') + hour }
const moved = { start: at('2026-11-25'), end: at('2026-11-25') + hour }

const told = (type: EventType, object: object | null, previous: object | null = null) =>
  liveChange({ type, objectId: '4', object: object && { ...object }, previous: previous && { ...previous } })

for (const type of ['reservation.created', 'time_off.created'] as const)
  test(`${type} tells whose calendar it touches and when`, () =>
    assert.deepEqual(told(type, { providerId: 7, ...first, note: 'x' }), [
      { kind: type.split('.')[0], providerIds: [7], spans: [first] },
    ]))

test('a reservation that moves touches where it was and where it is', () =>
  assert.deepEqual(told('reservation.updated', { providerId: 8, ...moved }, { providerId: 7, ...first }), [
    { kind: 'reservation', providerIds: [7, 8], spans: [first, moved] },
  ]))

test('a time off that goes touches where it was', () =>
  assert.deepEqual(told('time_off.removed', null, { providerId: 7, ...first }), [
    { kind: 'time_off', providerIds: [7], spans: [first] },
  ]))

test('a changed provider touches its own calendar, at no time in particular', () =>
  assert.deepEqual(told('provider.updated', { name: 'Ana' }, { name: 'Anna' }), [
    { kind: 'provider', providerIds: [4], spans: [] },
  ]))

for (const type of ['customer.created', 'service.updated', 'site.updated'] as const)
  test(`${type} touches no calendar`, () =>
    assert.deepEqual(told(type, { name: 'Ana' }), [{ kind: type.split('.')[0], providerIds: [], spans: [] }]))

for (const type of ['customer_note.created', 'token.created', 'user.signed_in', 'host_user.created'] as const)
  test(`no screen hears of ${type}`, () => assert.deepEqual(told(type, { name: 'Ana' }), []))

const booked = (providerIds: number[], ...spans: LiveChange['spans']): LiveChange => ({
  kind: 'reservation',
  providerIds,
  spans,
})
const saved: LiveChange = { kind: 'customer', providerIds: [], spans: [] }
const away: LiveChange = { kind: 'time_off', providerIds: [3], spans: [first] }

test('many changes are one word, with each kind, calendar and day once and in order', () =>
  assert.deepEqual(wordOf([booked([12, 3], moved, first), saved, away, booked([12], moved)], 'all'), {
    kinds: ['reservation', 'customer', 'time_off'],
    providerIds: [3, 12],
    days: ['2026-11-23', '2026-11-25'],
  }))

test('a provider hears what touches the own calendar, and of no other', () => {
  const changes = [saved, booked([12], moved), booked([12, 3], first)]
  assert.deepEqual(wordOf(changes, 3), { kinds: ['reservation'], providerIds: [3], days: ['2026-11-23'] })
  assert.equal(wordOf(changes, 4), undefined)
})

test('nobody is told of nothing, and one without a calendar of nothing at all', () => {
  assert.equal(wordOf([], 'all'), undefined)
  assert.equal(wordOf([saved, away], null), undefined)
})

for (const [what, start, end, days] of [
  ['from midnight to midnight', at('2026-11-23'), at('2026-11-24'), ['2026-11-23']],
  ['over midnight', at('2026-11-24') - 1, at('2026-11-24') + 1, ['2026-11-23', '2026-11-24']],
  ['of no length', at('2026-11-23'), at('2026-11-23'), ['2026-11-23']],
  ['of three days', at('2026-11-23') + hour, at('2026-11-25') + hour, ['2026-11-23', '2026-11-24', '2026-11-25']],
] as const)
  test(`a stretch ${what} touches ${days.join(' and ')}`, () =>
    assert.deepEqual(wordOf([booked([1], { start, end })], 'all')?.days, days))

test('of a stretch of years its first nine weeks are named', () => {
  const days = wordOf([booked([1], { start: at('2026-01-01'), end: at('2028-01-01') })], 'all')?.days ?? []
  assert.deepEqual([days.length, days[0], days.at(-1)], [63, '2026-01-01', '2026-03-04'])
})
