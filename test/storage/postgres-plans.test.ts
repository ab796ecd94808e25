import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type pg from 'pg'
import { blockedTimes, bookedOfProviders } from '../../src/availability/plan.sql.ts'
import { postgres } from '../../src/db/dialects.ts'
import { prepared } from '../../src/db/query/prepared.ts'
import { type ReachingValues, reaching, seatsOf } from '../../src/reservations/occupancy.sql.ts'
import { clearErasedResponses } from '../../src/webhooks/attempts.sql.ts'
import { connectedDatabase } from '../support/connected-database.ts'
import { databasesHere } from '../support/databases.ts'

const skip = (await databasesHere()).find(({ kind }) => kind === 'postgres')?.skip ?? false
const rows = 5_000

const occupied = prepared<ReachingValues, object>(
  (_, p, dialect) => sql<object>`select resource, slot, start_at, end_at from ${reaching(dialect, p)}`,
)

async function planOf(client: pg.Client, statement: string, values: readonly unknown[] = []): Promise<string> {
  const plan = await client.query(`explain ${statement}`, [...values])
  return plan.rows.map((row) => row['QUERY PLAN']).join('\n')
}

test('availability and bookings use indexes on PostgreSQL that has no statistics, from the empty tables on', {
  skip,
}, async (t) => {
  const { client } = await connectedDatabase(t)
  for (const table of ['occupancy', 'reservation', 'busy'])
    await client.query(`alter table ${table} set (autovacuum_enabled = false)`)
  await client.query('set plan_cache_mode = force_generic_plan')
  const queries = Object.entries({ occupied, seatsOf, blockedTimes, bookedOfProviders })
  for (const [name, query] of queries) await client.query(`prepare ${name} as ${query.statement(postgres).text}`)
  const plansAreGood = async () => {
    for (const [name, query] of queries) {
      const places = [...query.statement(postgres).text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number))
      const values = Array.from({ length: Math.max(...places) }, () => 'null')
      const lines = await planOf(client, `execute ${name}(${values})`)
      assert.doesNotMatch(lines, /Seq Scan on (?:occupancy|busy|reservation)/, lines)
      if (query === blockedTimes) assert.match(lines, /Index Cond: .*provider_id = .*end_at > .*end_at < /, lines)
    }
  }
  // The queries are planned while the tables are empty, because connections reuse the plans that they made first.
  await plansAreGood()
  await client.query(`
    insert into occupancy (id, reservation_id, resource, slot, seat, start_at, end_at)
    select 'o' || n, 'r' || n, 'p' || n % 20, 's:' || n, 1, n * 100, n * 100 + 100 from generate_series(1, ${rows}) as n`)
  await client.query(`
    insert into busy (id, provider_id, source, start_at, end_at, note)
    select 'b' || n, n % 20, 'time_off', n * 100, n * 100 + 100, '' from generate_series(1, ${rows}) as n`)
  await client.query(`
    insert into reservation (id, service_id, customer_id, provider_id, availability_id, start_at, end_at, status, data,
      local_start, zone, tz_version, version, created_at, updated_at)
    select 'r' || n, 's', 'c', n % 20, '', n * 100, n * 100 + 100, 'confirmed', '{}', '', 'UTC', '', 1, 0, 0
    from generate_series(1, ${rows}) as n`)
  const { rows: known } = await client.query(
    `select 1 from pg_stats where tablename in ('occupancy', 'busy', 'reservation')`,
  )
  assert.equal(known.length, 0, 'the tables were analysed')
  await client.query('deallocate all')
  for (const [name, query] of queries) await client.query(`prepare ${name} as ${query.statement(postgres).text}`)
  await plansAreGood()
})

test('availability and bookings read only rows of their resources when statistics know no row of that time', {
  skip,
}, async (t) => {
  const { client } = await connectedDatabase(t)
  await client.query('alter table occupancy set (autovacuum_enabled = false)')
  await client.query('set plan_cache_mode = force_custom_plan')
  // Triggers, which this test does not need, would take most of the time of the insert.
  await client.query('set session_replication_role = replica')
  // Each of 1,500 resources has the same fifty slots, all of which end before the times in the queries.
  await client.query(`
    insert into occupancy (id, reservation_id, resource, slot, seat, start_at, end_at)
    select 'o' || p || '_' || n, 'r' || p || '_' || n, 'p' || p, 's:' || n, 1, n * 1000, n * 1000 + 100
    from generate_series(1, 1500) as p, generate_series(1, 50) as n order by n, p`)
  await client.query('vacuum analyze occupancy')
  for (const query of [occupied, seatsOf]) {
    const { text, parameters } = query.statement(postgres)
    const values = parameters({ resources: ['p7'], slot: 's:51', from: 51_000, until: 52_000 })
    const lines = await planOf(client, text, values)
    assert.match(lines, /Index Cond: \(\(resource = wanted\.value\)/, lines)
    assert.doesNotMatch(lines, /Filter: .*resource/, lines)
  }
})

test('the erasure of a customer reads only the deliveries of erased events, in a long delivery log', {
  skip,
}, async (t) => {
  const { client } = await connectedDatabase(t)
  // Triggers, which this test does not need, would take most of the time of the insert.
  await client.query('set session_replication_role = replica')
  await client.query(`
    insert into event (tx, n, id, type, kind, object_id, body, body_version, actor_kind, actor_id, created_at, salt, digest)
    select n, 0, 'e' || n, 'customer.updated', 'customer', 'c' || n, '{}', 1, 'system', 'test', n,
      case when n % 1000 > 0 then 'salt' end, 'digest' from generate_series(1, 20000) as n`)
  await client.query(`
    insert into webhook_delivery (id, endpoint_id, event_id, seq, type, object_id, state, attempts, created_at)
    select 'd' || n, 'w', 'e' || n, n, 'customer.updated', 'c' || n, 'delivered', 1, n from generate_series(1, 20000) as n`)
  await client.query(`
    insert into webhook_attempt (id, delivery_id, created_at, milliseconds, request_headers, response_headers, response)
    select 'a' || n, 'd' || n, n, 1, '{}', '{}', 'Received' from generate_series(1, 20000) as n`)
  await client.query('vacuum analyze event, webhook_delivery, webhook_attempt')
  const plans: string[] = []
  const build = postgres.builderOver(async ({ sql: text, parameters }) => {
    plans.push(await planOf(client, text, parameters))
    return { rows: [] }
  })
  await clearErasedResponses({ dialect: postgres, build, run: () => assert.fail() })
  assert.equal(plans.length, 1)
  assert.match(plans.join('\n'), /Index Cond: \(event_id = event\.id\)/)
  assert.doesNotMatch(plans.join('\n'), /Seq Scan/)
})
