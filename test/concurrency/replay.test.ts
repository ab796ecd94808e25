import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { freshFolder } from '../support/daybook.ts'
import { type BlockedInterval, type ReplayedReservation, replayLog } from '../support/log-replay.ts'
import type { OccupancyRule } from '../support/offerings.ts'
import { openSql, type Sql } from '../support/sql.ts'

const rules: readonly OccupancyRule[] = [
  { serviceId: 's', providerId: 1, occupiedProviderId: 1, before: 0, after: 0, seats: 2, pendingOccupies: true },
  { serviceId: 'other', providerId: 1, occupiedProviderId: 1, before: 0, after: 0, seats: 1, pendingOccupies: true },
]
const ten: ReplayedReservation = {
  ...{ id: '', serviceId: 's', customerId: 'c', providerId: 1, start: 36_000, end: 39_600, status: 'confirmed' },
}
const eleven = { ...ten, serviceId: 'other', start: 39_600, end: 43_200 }
const block: BlockedInterval = { providerId: 1, from: 37_000, until: 37_100, after: 0, before: 9 }

type Told = readonly [kind: 'reservation' | 'service' | 'provider', id: string, object: object | null]
const is = (id: string, state: ReplayedReservation): Told => ['reservation', id, { ...state, id }]
const service = (id: string, data: object): Told => ['service', id, { data }]
const own = (data: object): Told => ['provider', '1', { services: { s: data } }]

const right: Readonly<Record<string, readonly Told[]>> = {
  'two seats of one slot': [is('a', ten), is('b', ten)],
  'two services that only touch': [is('a', ten), is('b', eleven)],
  'a seat that somebody gave back': [
    is('a', ten),
    is('b', ten),
    is('a', { ...ten, status: 'cancelled' }),
    is('c', ten),
  ],
  'seats that were taken before there were fewer': [
    ...[is('a', ten), is('b', ten), service('s', { capacity: 1 })],
    is('a', { ...ten, status: 'pending' }),
  ],
  'a neighbour who was there before the buffer': [is('b', eleven), is('a', ten), own({ bufferAfterMinutes: 10 })],
  'another seat of a slot that took its time without the buffer': [
    ...[is('b', eleven), is('a', ten), own({ bufferAfterMinutes: 10 }), is('c', ten)],
  ],
}

const wrong: Readonly<Record<string, readonly Told[]>> = {
  'a third of two seats': [is('a', ten), is('b', ten), is('c', ten)],
  'two services at one time': [is('a', ten), is('b', { ...eleven, start: 39_000 })],
  'a seat that there was before there were fewer': [is('a', ten), service('s', { capacity: 1 }), is('b', ten)],
  'a seat that one provider does not have': [own({ capacity: 1 }), is('a', ten), is('b', ten)],
  'a neighbour within the new buffer': [is('a', eleven), service('s', { bufferAfterMinutes: 10 }), is('b', ten)],
  'one that comes back to a seat that is gone': [
    ...[is('a', ten), is('b', ten), is('a', { ...ten, status: 'cancelled' }), is('c', ten), is('a', ten)],
  ],
  'what was there for a moment only': [is('a', ten), is('b', ten), is('c', ten), ['reservation', 'c', null]],
}

describe('in an event log', () => {
  let sql: Sql
  before(async () => {
    sql = openSql({ dataDir: freshFolder() })
    await sql('create table event (tx integer, n integer, kind text, object_id text, body text)')
  })
  beforeEach(() => sql('delete from event'))
  after(() => sql.close())

  async function faults(recorded: readonly Told[], blocks: readonly BlockedInterval[] = []): Promise<number> {
    for (const [place, [kind, id, object]] of recorded.entries())
      await sql('insert into event values (?, 0, ?, ?, ?)', [place, kind, id, JSON.stringify({ object })])
    return (await replayLog(sql, rules, blocks)).violations.length
  }

  for (const [name, recorded] of Object.entries(right))
    test(`${name} may be taken`, async () => assert.equal(await faults(recorded), 0))

  for (const [name, recorded] of Object.entries(wrong))
    test(`${name} may not be taken, and is found`, async () => assert.equal(await faults(recorded), 1))

  test('booking a time that a calendar blocks is a violation, and is found', async () => {
    assert.equal(await faults([is('a', ten), is('b', eleven)], [block]), 1)
  })

  test('a reservation made before the calendar blocked its time is allowed', async () => {
    assert.equal(await faults([is('a', ten), is('b', eleven)], [{ ...block, after: 1 }]), 0)
  })
})
