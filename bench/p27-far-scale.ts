import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { insertSignedInUser } from '../test/support/browser-client.ts'
import { emptyDatabase } from '../test/support/databases.ts'
import { command, endProcess, freshFolder, serve } from '../test/support/daybook.ts'
import { postgresServer } from '../test/support/postgres.ts'
import { median, percentile } from '../test/support/scale.ts'
import { openSql } from '../test/support/sql.ts'
import type { AvailableSlot } from '../test/support/test-site.ts'
import { siteFile } from './clinic-site.ts'
import { quick } from './quick.ts'
import { report } from './report.ts'

// Compares the durations of an uncached listing of slots and of a booking on two sites on PostgreSQL with the same
// providers: one has one reservation for each of them, the other a thousand. There are 1,000 providers, or 10,000 if
// DAYBOOK_BENCH_FAR=yes, so that the larger site has ten million reservations; inserting them takes about half an hour.
// Then measures pages of the panel's lists on the larger site.
const isFar = process.env.DAYBOOK_BENCH_FAR === 'yes'
const providers = quick ? 20 : isFar ? 10_000 : 1_000
const perProvider = quick ? 20 : 1_000
const samples = quick ? 5 : 400
// Requests of each kind that are not counted, since the process compiles its code while they run.
const warm = 40
const bar = 1.2
const listBar = 150
const day = 86_400

/** Milliseconds of each listing and each booking. */
interface Times {
  readonly listing: number[]
  readonly booking: number[]
}

/** A running site and what was measured on it. */
interface Site {
  readonly url: string
  readonly databaseUrl: string
  readonly api: Api
  readonly serviceId: string
  readonly customerId: string
  readonly times: Times
  close(): Promise<void>
}

if (await postgresServer()) await measured()
else console.log('P27 was not measured: PostgreSQL is not installed.')

async function measured(): Promise<void> {
  const small = await openSite(1)
  const large = await openSite(perProvider)
  // The sites take turns, so that other work on the machine affects both.
  for (let n = 0; n < samples + warm; n += 1) {
    for (const site of n % 2 ? [small, large] : [large, small]) await listAndBook(site, n)
  }
  const [few, many] = [providers, providers * perProvider]
  for (const name of ['listing', 'booking'] as const) {
    const [before, after] = [small.times[name], large.times[name]]
    const value = median(after) / median(before)
    console.log(
      `P27 ${name}: ${median(before).toFixed(2)} ms with ${few} reservations, ${median(after).toFixed(2)} ms with ${many}`,
    )
    report({
      figure: 'P27',
      name: `${name === 'listing' ? 'a listing that is not cached' : 'a booking'}, ${many} reservations of ${providers} providers against ${few}`,
      unit: 'times',
      value,
      spread: [percentile(after, 0.1) / percentile(before, 0.1), percentile(after, 0.9) / percentile(before, 0.9)],
      bar: `<= ${bar}`,
      held: value <= bar,
    })
    if (value > bar) process.exitCode = 1
  }
  await measureLists(large, many)
  await small.close()
  await large.close()
}

/** Reports the slowest of some pages of the panel's lists. */
async function measureLists(site: Site, reservations: number): Promise<void> {
  const sql = openSql({ dataDir: '', databaseUrl: site.databaseUrl })
  const times = { lastSeenAt: 4_000_000_000, expiresAt: 4_000_000_000 }
  const { browser } = await insertSignedInUser({ server: { url: site.url }, sql }, 'manager', times)
  await sql.close()
  const pages = [
    '/reservations/?per_page=50&sort=-start',
    '/reservations/?per_page=50&when=upcoming',
    '/reservations/?per_page=50&providerId=7&sort=-start',
    '/reservations/?per_page=50&status=pending',
    '/reservations/?per_page=50&search=customer+17&sort=-start',
    '/customers/?per_page=50&search=customer+17',
    '/history/?per_page=50',
  ]
  const slowest = { page: '', ms: 0 }
  for (const page of pages) {
    const took: number[] = []
    for (let time = 0; time <= (quick ? 1 : 7); time += 1) {
      const began = performance.now()
      const { status, text } = await browser.get(page)
      assert.equal(status, 200, `${page}: ${text}`)
      if (time > 0) took.push(performance.now() - began)
    }
    console.log(`P27 ${median(took).toFixed(1)} ms ${page}`)
    if (median(took) > slowest.ms) Object.assign(slowest, { page, ms: median(took) })
  }
  report({
    figure: 'P27',
    name: `the slowest of ${pages.length} pages of lists in the panel, ${reservations} reservations`,
    unit: 'ms',
    value: slowest.ms,
    spread: [slowest.ms, slowest.ms],
    bar: `<= ${listBar}`,
    held: slowest.ms <= listBar,
  })
}

/** Makes a site with so many reservations for each provider, in a database of its own, and starts its service. */
async function openSite(reservations: number): Promise<Site> {
  const database = await emptyDatabase()
  assert.ok('databaseUrl' in database.at)
  const { databaseUrl } = database.at
  const daybook = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await command([...args, '--database-url', databaseUrl])
    assert.equal(code, 0, stderr)
    return stdout.trim()
  }
  const file = join(freshFolder(), 'site.json')
  writeFileSync(file, JSON.stringify(siteFile(providers)))
  await daybook('apply', file)
  const token = await daybook('token', 'create', '--name', 'bench', '--scope', 'write')
  const { child, url } = await serve(['--database-url', databaseUrl], process.env)
  const api = apiAt(url, token)
  const close = async () => {
    await endProcess(child, 'SIGTERM')
    await database.remove()
  }
  const [customer] = (await api('GET', '/customers/get/')).response
  const services = (await api('GET', '/services/get/')).response
  const service = services.find(({ name }) => name === 'Check-up')
  assert.ok(customer && service)
  const times = { listing: [], booking: [] }
  const site = { url, databaseUrl, api, serviceId: service.id, customerId: customer.id, times, close }
  // The fill inserts copies of one reservation that was booked through the API.
  await listAndBook(site, 0)
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const began = performance.now()
  await fill(client, reservations)
  const { rows } = await client.query<{ count: string; size: string }>(
    'select count(*)::text as count, pg_size_pretty(pg_database_size(current_database())) as size from reservation',
  )
  await client.end()
  console.log(
    `P27 ${rows[0]?.count} reservations, ${rows[0]?.size}, filled in ${Math.round((performance.now() - began) / 1000)} s`,
  )
  return site
}

/** A function that calls the API of the running service. */
type Api = (
  method: 'GET' | 'POST',
  path: string,
  body?: object,
) => Promise<{ response: (AvailableSlot & { id: string; name: string })[]; id: string }>

function apiAt(root: string, token: string): Api {
  return async (method, path, body) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const answer = await fetch(`${root}/api/v1${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    assert.ok(answer.ok, await answer.clone().text())
    return (await answer.json()) as Awaited<ReturnType<Api>>
  }
}

/**
 * Lists the slots of a week of one provider and books one of them; adds both durations to the times of the site from
 * the round `warm` on. Each round asks for another provider, every seventh one, so that no listing is cached.
 */
async function listAndBook({ api, serviceId, customerId, times }: Site, round: number): Promise<void> {
  const provider = ((round * 7) % providers) + 1
  const from = Math.floor(Date.now() / 1000) + 40 * day
  const path = `/availability/get/?min_timestamp=${from}&max_timestamp=${from + 7 * day}&services=${serviceId}&providers=${provider}`
  const listedAt = performance.now()
  const { response } = await api('GET', path)
  const listed = performance.now()
  const slot = response[round % response.length]
  assert.ok(slot)
  const { availabilityId, providerId, start, end: until } = slot
  const bookedAt = performance.now()
  const body = { availabilityId, serviceId, providerId, start, end: until, customerId }
  await api('POST', '/reservations/add/', body)
  if (round < warm) return
  times.listing.push(listed - listedAt)
  times.booking.push(performance.now() - bookedAt)
}

/**
 * Inserts reservations of every provider, each with its event in the history, and a customer for every ten of them.
 * Nineteen of twenty reservations ended within the past ten years; the others are within the next thirty days. Only the
 * latter have rows in `occupancy`, since the service deletes those of ended reservations. The indexes that are not
 * unique are created anew afterwards, which is faster.
 */
async function fill(client: pg.Client, reservations: number): Promise<void> {
  await client.query('set session_replication_role = replica')
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename in ('customer', 'customer_word', 'reservation', 'event') and indexdef not like 'CREATE UNIQUE%'`,
  )
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  const customers = Math.ceil((providers * reservations) / 10)
  await client.query(
    `insert into customer select copy.* from customer as c, generate_series(1, $1::int) as k,
     jsonb_populate_record(null::customer, to_jsonb(c) || jsonb_build_object('id', 'c_' || k, 'key', null,
       'ordinal', k, 'name', 'Customer ' || k, 'email', 'c' || k || '@bench.example',
       'email_key', 'c' || k || '@bench.example')) as copy`,
    [customers],
  )
  await client.query(
    `insert into customer_word select copy.* from customer_word as w, generate_series(1, $1::int) as k,
     jsonb_populate_record(null::customer_word, to_jsonb(w) || jsonb_build_object('customer_id', 'c_' || k)) as copy`,
    [customers],
  )
  const columns = `id, key, service_id, customer_id, provider_id, availability_id, start_at, end_at, status, data, price,
    currency, local_start, zone, tz_version, assigned_because, series_id, group_id, version, created_at, updated_at,
    attendance, note, cancel_reason`
  const past = Math.floor(reservations * 0.95)
  const now = Math.floor(Date.now() / 1000)
  // Each statement inserts the rows of at most 500 providers, so that a transaction fits in memory.
  for (let from = 1; from <= providers; from += 500) {
    const until = Math.min(from + 499, providers)
    await client.query(
      `insert into reservation (${columns})
      with m as materialized (select * from reservation limit 1)
      select 'r_' || md5(p || ' ' || n), null, m.service_id, 'c_' || 1 + (p * $4::int + n) % $6::int, p, m.availability_id,
        case when n <= $3 then $5 - n * 331200 else $5 + (n - $3) * 43200 end,
        case when n <= $3 then $5 - n * 331200 else $5 + (n - $3) * 43200 end + 1800,
        m.status, m.data, m.price, m.currency, m.local_start, m.zone, m.tz_version, m.assigned_because, null, null,
        m.version, m.created_at, m.updated_at, m.attendance, m.note, m.cancel_reason
      from generate_series($1::int, $2::int) p, generate_series(1, $4::int) n, m`,
      [from, until, past, reservations, now - (now % 1800), customers],
    )
    await client.query(
      `insert into event (tx, n, id, type, kind, object_id, body, body_version, actor_kind, actor_id, request_id,
        created_at, salt, digest)
      with m as materialized (select * from event where type = 'reservation.created' limit 1)
      select pg_current_xact_id()::text::bigint, row_number() over (), 'e_' || r.id, m.type, m.kind, r.id, m.body,
        m.body_version, m.actor_kind, m.actor_id, m.request_id, least(r.start_at, $3), m.salt, m.digest
      from reservation r, m
      where r.provider_id between $1 and $2 and r.id like 'r\\_%'`,
      [from, until, now],
    )
    await client.query(
      `insert into occupancy (id, reservation_id, resource, slot, seat, start_at, end_at)
      select 'o_' || md5(r.id), r.id, 'p' || r.provider_id, 's' || r.start_at, 1, r.start_at, r.end_at
      from reservation r where r.provider_id between $1 and $2 and r.start_at > $3 and r.id like 'r\\_%' and r.start_at < $3 + 31 * 86400`,
      [from, until, now],
    )
  }
  for (const { definition } of indexes) await client.query(definition)
  await client.query('set session_replication_role = origin')
  await client.query('vacuum analyze')
}
