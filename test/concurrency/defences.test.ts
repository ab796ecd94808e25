import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { type Arena, accepted, assertSound, contend, day, now, openArena, type Slot } from '../support/arena.ts'
import { audit } from '../support/audit.ts'
import { databasesHere } from '../support/databases.ts'
import { Gate } from '../support/gate.ts'
import { proved } from '../support/proof.ts'
import { patience, scaled } from '../support/scale.ts'

// A day of the site's horizon for each.
const rounds = Math.min(50, scaled(5))
// No more than the service has connections to PostgreSQL: all of them can stand at the gate.
const clients = 8

const constraints = {
  postgres: [
    'alter table occupancy drop constraint occupancy_overlap',
    'alter table occupancy drop constraint occupancy_resource_slot_seat_key',
    'drop trigger occupancy_shape on occupancy',
  ],
  // A unique constraint of SQLite goes only with its table.
  sqlite: [
    'drop trigger occupancy_overlap',
    'create table bare as select * from occupancy',
    'drop table occupancy',
    'alter table bare rename to occupancy',
  ],
}

// Found before PostgreSQL's own by every connection made from now on: the locks are asked for and lock nothing.
const locksThatDoNot = [
  'create schema shadow',
  "create function shadow.pg_advisory_xact_lock(bigint) returns void language sql as 'select'",
  "create function shadow.pg_advisory_xact_lock_shared(bigint) returns void language sql as 'select'",
  `do $$ begin
    execute format('alter database %I set search_path = public, shadow, pg_catalog', current_database());
  end $$`,
]

for (const { kind, skip } of await databasesHere()) {
  describe(`the check under lock on ${kind}, with no constraint behind it`, { skip, timeout: patience }, () => {
    const arena = opened(kind, constraints[kind])

    test('sells one seat once', async (t) => {
      for (const slot of await seats(arena(), 'single')) assert.equal(accepted(await everyone(arena(), slot)), 1)
      await report(t, `B6 ${kind} by the lock alone`, arena())
    })

    test('sells no overlapping times', async (t) => {
      for (const wanted of await overlapping(arena())) assert.ok(accepted(await contend(arena(), wanted)) >= 1)
      await report(t, `B6 ${kind} by the lock alone`, arena())
    })
  })
}

const [, { skip } = { skip: 'PostgreSQL is not here' }] = await databasesHere()

describe('postgres with no locks', { skip, timeout: patience }, () => {
  const arena = opened('postgres', locksThatDoNot)

  test('by its constraint lets one of those through who all found the seat free', async (t) => {
    for (const slot of await seats(arena(), 'single'))
      assert.equal(accepted(await throughGate(arena(), () => everyone(arena(), slot))), 1)
    await report(t, 'B6 postgres by the constraint alone', arena())
  })

  test('by its constraint lets no two through who found overlapping times free', async (t) => {
    // A few at a time: without locks each conflict is a deadlock that PostgreSQL takes a second to see.
    for (const all of await overlapping(arena())) {
      const wanted = all.slice(0, 3)
      assert.ok(accepted(await throughGate(arena(), () => contend(arena(), wanted), wanted.length)) >= 1)
    }
    await report(t, 'B6 postgres by the constraint alone', arena())
  })

  test('and no constraint sells seats and times twice, and the audit sees it', async (t) => {
    for (const statement of constraints.postgres) await arena().sql(statement)
    const [slot] = await seats(arena(), 'single')
    const [times] = await overlapping(arena(), 1)
    assert.ok(slot && times)
    assert.ok(accepted(await throughGate(arena(), () => everyone(arena(), slot))) > 1)
    assert.ok(accepted(await throughGate(arena(), () => contend(arena(), times))) > 1)
    const { overlaps, overfull } = await audit(arena().sql, arena().rooms)
    assert.ok(overlaps > 0)
    assert.ok(overfull > 0)
    proved(t, 'B6 postgres by neither', { 'oversold and seen': overlaps + overfull })
  })
})

/** An arena whose database is changed while the service is stopped. */
function opened(kind: 'sqlite' | 'postgres', statements: readonly string[]): () => Arena {
  let arena: Arena | undefined
  before(async () => {
    arena = await openArena(kind, { clients, fixedClock: true })
    await arena.service.stop()
    for (const statement of statements) await arena.sql(statement)
    await arena.service.restart()
    await arena.clients.warm()
  })
  after(() => arena?.close())
  return () => {
    assert.ok(arena)
    return arena
  }
}

/** Says how much was contended for, once nothing of it was sold twice. */
async function report(t: TestContext, row: string, arena: Arena): Promise<void> {
  const { overlaps, overfull } = await assertSound(arena)
  proved(t, row, { rounds, overlaps, overbooked: overfull })
}

/** Free slots that have nothing to do with each other. */
async function seats(arena: Arena, key: string): Promise<Slot[]> {
  const slots = await arena.slots(key, { from: now + day, until: now + 2 * day, provider: 1 })
  return slots.slice(0, rounds)
}

/** For each round eight slots of two services of one provider, each of which overlaps its neighbours. */
async function overlapping(arena: Arena, firstDay = 3): Promise<Slot[][]> {
  const days = Array.from({ length: rounds }, (_, round) => now + (firstDay + round) * day)
  return Promise.all(
    days.map(async (from) => {
      const window = { from, until: from + 3_600 }
      const [long, short] = [await arena.slots('long', window), await arena.slots('short', window)]
      return [...long, ...short].slice(0, clients)
    }),
  )
}

function everyone(arena: Arena, slot: Slot) {
  return contend(
    arena,
    arena.clients.numbers.map(() => slot),
  )
}

/** Does `work` with every booking held where it would take its seat, until `crowd` of them have found it free. */
async function throughGate<T>({ databaseUrl = '' }: Arena, work: () => Promise<T>, crowd = clients): Promise<T> {
  await using gate = await Gate.close(databaseUrl)
  const working = work()
  const came = await Promise.race([gate.crowd(crowd).then(() => true), working.then(() => false)])
  assert.ok(came, 'the bookings were answered before they stood at the gate')
  await gate.open()
  return await working
}
