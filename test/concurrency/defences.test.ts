import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { audit } from '../support/audit.ts'
import {
  accepted,
  assertConsistent,
  bookConcurrently,
  type ContendedSite,
  type ContendedSlot,
  day,
  nodesOf,
  now,
  openContendedSite,
} from '../support/contended-site.ts'
import { databasesHere } from '../support/databases.ts'
import { InsertLock } from '../support/insert-lock.ts'
import { proved } from '../support/proof.ts'
import { scaled, suiteTimeout } from '../support/scale.ts'

// The number of rounds. The tests of overlapping times use one day per round, within the site's horizon of 60 days.
const rounds = Math.min(50, scaled(5))
// The number of clients: at most the number of the service's connections to PostgreSQL, so that the bookings of all
// clients can wait at the same time for the advisory lock of `InsertLock`.
const clients = 8

const constraints = {
  postgres: [
    'alter table occupancy drop constraint occupancy_overlap',
    'alter table occupancy drop constraint occupancy_resource_slot_seat_key',
    'drop trigger occupancy_shape on occupancy',
  ],
  // SQLite cannot drop a unique constraint of a table, so a copy without constraints replaces the table.
  sqlite: [
    'drop trigger occupancy_overlap',
    'create table bare as select * from occupancy',
    'drop table occupancy',
    'alter table bare rename to occupancy',
  ],
}

// These functions without effect are in a schema that the search path lists before PostgreSQL's own, so that the
// service calls them instead of the functions that acquire advisory locks.
const locksThatDoNot = [
  'create schema shadow',
  "create function shadow.pg_advisory_xact_lock(bigint) returns void language sql as 'select'",
  "create function shadow.pg_advisory_xact_lock_shared(bigint) returns void language sql as 'select'",
  `do $$ begin
    execute format('alter database %I set search_path = public, shadow, pg_catalog', current_database());
  end $$`,
]

for (const { kind, skip } of await databasesHere()) {
  describe(`the check under lock on ${kind}, without the constraint`, { skip, timeout: suiteTimeout }, () => {
    const site = opened(kind, constraints[kind])

    test('books one seat once', async (t) => {
      for (const slot of await seats(site(), 'single')) assert.equal(accepted(await everyone(site(), slot)), 1)
      await report(t, `B6 ${kind} by the lock alone`, site())
    })

    test('books no overlapping times', async (t) => {
      for (const wanted of await overlapping(site())) assert.ok(accepted(await bookConcurrently(site(), wanted)) >= 1)
      await report(t, `B6 ${kind} by the lock alone`, site())
    })
  })
}

const [, { skip } = { skip: 'PostgreSQL is not here' }] = await databasesHere()

describe('postgres without locks', { skip, timeout: suiteTimeout }, () => {
  const site = opened('postgres', locksThatDoNot)

  test('lets one of the concurrent bookings of a free seat through by its constraint', async (t) => {
    for (const slot of await seats(site(), 'single'))
      assert.equal(accepted(await behindInsertLock(site(), () => everyone(site(), slot))), 1)
    await report(t, 'B6 postgres by the constraint alone', site())
  })

  test('lets no two overlapping times through by its constraint', async (t) => {
    // Only three bookings are sent at a time, because without locks each conflict is a deadlock, which PostgreSQL
    // detects only after one second.
    for (const all of await overlapping(site())) {
      const wanted = all.slice(0, 3)
      assert.ok(accepted(await behindInsertLock(site(), () => bookConcurrently(site(), wanted), wanted.length)) >= 1)
    }
    await report(t, 'B6 postgres by the constraint alone', site())
  })

  test('and without a constraint books seats and times twice, and the audit reports it', async (t) => {
    for (const statement of constraints.postgres) await site().sql(statement)
    const [slot] = await seats(site(), 'single')
    const [times] = await overlapping(site(), 1)
    assert.ok(slot && times)
    assert.ok(accepted(await behindInsertLock(site(), () => everyone(site(), slot))) > 1)
    assert.ok(accepted(await behindInsertLock(site(), () => bookConcurrently(site(), times))) > 1)
    const { overlaps, overbooked } = await audit(site().sql, site().occupancyRules)
    assert.ok(overlaps > 0)
    assert.ok(overbooked > 0)
    proved(t, 'B6 postgres by neither', { 'oversold and seen': overlaps + overbooked })
  })
})

describe('postgres with locks', { skip, timeout: suiteTimeout }, () => {
  const site = opened('postgres', [])

  test('removes no reservation while a booking counts the seats of its slot', async () => {
    const { clients, databaseUrl = '' } = site()
    const [slot] = await site().slots('trio', { from: now + day, until: now + 2 * day })
    assert.ok(slot)
    const [first] = await bookConcurrently(site(), [slot])
    await using lock = await InsertLock.acquire(databaseUrl)
    const booking = bookConcurrently(site(), [slot])
    await lock.waitForBlocked(1)
    const removal = clients.send(1, { path: '/reservations/remove/', query: { id: String(first?.body.id) } })
    const waits = await Promise.race([lock.waitForOtherLocks(1).then(() => true), removal.then(() => false)])
    await lock.release()
    assert.ok(waits, 'the reservation was removed meanwhile')
    assert.equal(accepted(await booking), 1)
    assert.equal((await removal).status, 200)
  })
})

/**
 * Registers hooks that open a contended site, and change its database by SQL statements while the service is stopped.
 * The returned function returns the site.
 */
function opened(kind: 'sqlite' | 'postgres', statements: readonly string[]): () => ContendedSite {
  let site: ContendedSite | undefined
  before(async () => {
    site = await openContendedSite(kind, { clients, fixedClock: true, nodes: nodesOf(kind) })
    await Promise.all(site.nodes.map((node) => node.stop()))
    for (const statement of statements) await site.sql(statement)
    // Existing connections of a pooler have the previous search path, so they are terminated.
    if (kind === 'postgres')
      await site.sql(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`)
    // The clock of each node starts again at its initial time, which must be that of the nodes that run already.
    const began = performance.now()
    for (const node of site.nodes) await node.restart({ now: now + Math.round((performance.now() - began) / 1000) })
    await site.clients.connect()
  })
  after(() => site?.close())
  return () => {
    assert.ok(site)
    return site
  }
}

/** Reports the number of rounds as the result of a proof; fails if a seat or time was booked twice. */
async function report(t: TestContext, row: string, site: ContendedSite): Promise<void> {
  const { overlaps, overbooked } = await assertConsistent(site)
  proved(t, row, { rounds, overlaps, overbooked })
}

/** Returns one free slot per round, all within 24 hours; the slots do not overlap each other. */
async function seats(site: ContendedSite, key: string): Promise<ContendedSlot[]> {
  const slots = await site.slots(key, { from: now + day, until: now + 2 * day, provider: 1 })
  return slots.slice(0, rounds)
}

/**
 * Returns, for each round, at most eight slots of two services of one provider; sorted by start, each slot overlaps the
 * next one.
 */
async function overlapping(site: ContendedSite, firstDay = 3): Promise<ContendedSlot[][]> {
  const days = Array.from({ length: rounds }, (_, round) => now + (firstDay + round) * day)
  return Promise.all(
    days.map(async (from) => {
      const window = { from, until: from + 3_600 }
      const [long, short] = [await site.slots('long', window), await site.slots('short', window)]
      return [...long, ...short].slice(0, clients)
    }),
  )
}

function everyone(site: ContendedSite, slot: ContendedSlot) {
  return bookConcurrently(
    site,
    site.clients.numbers.map(() => slot),
  )
}

/**
 * Runs `work` while a lock blocks every booking before its row is inserted into `occupancy`; releases the lock when
 * `count` bookings have found their slot free.
 */
async function behindInsertLock<T>(
  { databaseUrl = '' }: ContendedSite,
  work: () => Promise<T>,
  count = clients,
): Promise<T> {
  await using lock = await InsertLock.acquire(databaseUrl)
  const working = work()
  const came = await Promise.race([lock.waitForBlocked(count).then(() => true), working.then(() => false)])
  assert.ok(came, 'the bookings were answered before they waited for the lock')
  await lock.release()
  return await working
}
