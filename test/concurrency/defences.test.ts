import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { type Arena, accepted, assertSound, contend, day, now, openArena, type Slot } from '../support/arena.ts'
import { audit } from '../support/audit.ts'
import { databasesHere } from '../support/databases.ts'
import { Gate } from '../support/gate.ts'
import { proved } from '../support/proof.ts'
import { patience, scaled } from '../support/scale.ts'

// One day of the site's horizon for each.
const rounds = Math.min(50, scaled(5))
// At most the service's connections to PostgreSQL, so that all can wait at the gate.
const clients = 8

const constraints = {
  postgres: [
    'alter table occupancy drop constraint occupancy_overlap',
    'alter table occupancy drop constraint occupancy_resource_slot_seat_key',
    'drop trigger occupancy_shape on occupancy',
  ],
  // SQLite cannot drop a unique constraint without its table.
  sqlite: [
    'drop trigger occupancy_overlap',
    'create table bare as select * from occupancy',
    'drop table occupancy',
    'alter table bare rename to occupancy',
  ],
}

// Shadow PostgreSQL's functions on new connections: the locks are requested and have no effect.
const locksThatDoNot = [
  'create schema shadow',
  "create function shadow.pg_advisory_xact_lock(bigint) returns void language sql as 'select'",
  "create function shadow.pg_advisory_xact_lock_shared(bigint) returns void language sql as 'select'",
  `do $$ begin
    execute format('alter database %I set search_path = public, shadow, pg_catalog', current_database());
  end $$`,
]

for (const { kind, skip } of await databasesHere()) {
  describe(`the check under lock on ${kind}, without the constraint`, { skip, timeout: patience }, () => {
    const arena = opened(kind, constraints[kind])

    test('books one seat once', async (t) => {
      for (const slot of await seats(arena(), 'single')) assert.equal(accepted(await everyone(arena(), slot)), 1)
      await report(t, `B6 ${kind} by the lock alone`, arena())
    })

    test('books no overlapping times', async (t) => {
      for (const wanted of await overlapping(arena())) assert.ok(accepted(await contend(arena(), wanted)) >= 1)
      await report(t, `B6 ${kind} by the lock alone`, arena())
    })
  })
}

const [, { skip } = { skip: 'PostgreSQL is not here' }] = await databasesHere()

describe('postgres without locks', { skip, timeout: patience }, () => {
  const arena = opened('postgres', locksThatDoNot)

  test('lets one of the concurrent bookings of a free seat through by its constraint', async (t) => {
    for (const slot of await seats(arena(), 'single'))
      assert.equal(accepted(await throughGate(arena(), () => everyone(arena(), slot))), 1)
    await report(t, 'B6 postgres by the constraint alone', arena())
  })

  test('lets no two overlapping times through by its constraint', async (t) => {
    // A few at a time: without locks each conflict is a deadlock, which PostgreSQL detects after a second.
    for (const all of await overlapping(arena())) {
      const wanted = all.slice(0, 3)
      assert.ok(accepted(await throughGate(arena(), () => contend(arena(), wanted), wanted.length)) >= 1)
    }
    await report(t, 'B6 postgres by the constraint alone', arena())
  })

  test('and without a constraint books seats and times twice, and the audit reports it', async (t) => {
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

describe('postgres with locks', { skip, timeout: patience }, () => {
  const arena = opened('postgres', [])

  test('removes no reservation while a booking counts the seats of its slot', async () => {
    const { clients, databaseUrl = '' } = arena()
    const [slot] = await arena().slots('trio', { from: now + day, until: now + 2 * day })
    assert.ok(slot)
    const [first] = await contend(arena(), [slot])
    await using gate = await Gate.close(databaseUrl)
    const booking = contend(arena(), [slot])
    await gate.crowd(1)
    const removal = clients.ask(1, { path: '/reservations/remove/', query: { id: String(first?.body.id) } })
    const waits = await Promise.race([gate.queue(1).then(() => true), removal.then(() => false)])
    await gate.open()
    assert.ok(waits, 'the reservation was removed meanwhile')
    assert.equal(accepted(await booking), 1)
    assert.equal((await removal).status, 200)
  })
})

/** Opens an arena whose database is modified while the service is stopped. */
function opened(kind: 'sqlite' | 'postgres', statements: readonly string[]): () => Arena {
  let arena: Arena | undefined
  before(async () => {
    arena = await openArena(kind, { clients, fixedClock: true })
    await arena.service.stop()
    for (const statement of statements) await arena.sql(statement)
    // A pooler keeps connections, which would not learn of a changed search path.
    if (kind === 'postgres')
      await arena.sql(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`)
    await arena.service.restart()
    await arena.clients.warm()
  })
  after(() => arena?.close())
  return () => {
    assert.ok(arena)
    return arena
  }
}

/** Reports the number of contended slots, once nothing was booked twice. */
async function report(t: TestContext, row: string, arena: Arena): Promise<void> {
  const { overlaps, overfull } = await assertSound(arena)
  proved(t, row, { rounds, overlaps, overbooked: overfull })
}

/** Returns independent free slots. */
async function seats(arena: Arena, key: string): Promise<Slot[]> {
  const slots = await arena.slots(key, { from: now + day, until: now + 2 * day, provider: 1 })
  return slots.slice(0, rounds)
}

/** Returns for each round eight slots of two services of one provider, each overlapping its neighbours. */
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

/** Runs `work` with every booking held before it takes its seat, until `crowd` of them have found it free. */
async function throughGate<T>({ databaseUrl = '' }: Arena, work: () => Promise<T>, crowd = clients): Promise<T> {
  await using gate = await Gate.close(databaseUrl)
  const working = work()
  const came = await Promise.race([gate.crowd(crowd).then(() => true), working.then(() => false)])
  assert.ok(came, 'the bookings were answered before they stood at the gate')
  await gate.open()
  return await working
}
