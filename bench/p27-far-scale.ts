import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { emptyDatabase } from '../test/support/databases.ts'
import { command, endProcess, freshFolder, serve } from '../test/support/daybook.ts'
import { postgresServer } from '../test/support/postgres.ts'
import { median, percentile } from '../test/support/scale.ts'
import type { AvailableSlot } from '../test/support/test-site.ts'
import { siteFile } from './clinic-site.ts'
import { quick } from './quick.ts'
import { report } from './report.ts'

// Compares the durations of an uncached listing of slots and of a booking when a site on PostgreSQL has few
// reservations and when it has a million, or ten million if DAYBOOK_BENCH_FAR=yes. Inserting ten million takes the
// better part of an hour.
const isFar = process.env.DAYBOOK_BENCH_FAR === 'yes'
const providers = quick ? 20 : isFar ? 10_000 : 1_000
const perProvider = quick ? 20 : 1_000
const samples = quick ? 5 : 400
const bar = 1.2
const day = 86_400

/** Milliseconds of each listing and each booking. */
interface Times {
  readonly listing: readonly number[]
  readonly booking: readonly number[]
}

if (await postgresServer()) await measured()
else console.log('P27 was not measured: PostgreSQL is not installed.')

async function measured(): Promise<void> {
  const database = await emptyDatabase()
  assert.ok('databaseUrl' in database.at)
  const url = database.at.databaseUrl
  const daybook = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await command([...args, '--database-url', url])
    assert.equal(code, 0, stderr)
    return stdout.trim()
  }
  const file = join(freshFolder(), 'site.json')
  writeFileSync(file, JSON.stringify(siteFile(providers)))
  await daybook('apply', file)
  const token = await daybook('token', 'create', '--name', 'bench', '--scope', 'write')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // The first measurement books reservations through the API; `fill` then inserts copies of one of them at other times.
  const few = await withService(url, token, (api) => timesOf(api, 0))
  const filledIn = performance.now()
  await fill(client)
  const { rows } = await client.query<{ count: string; size: string }>(
    'select count(*)::text as count, pg_size_pretty(pg_database_size(current_database())) as size from reservation',
  )
  console.log(
    `P27 ${rows[0]?.count} reservations, ${rows[0]?.size}, filled in ${Math.round((performance.now() - filledIn) / 1000)} s`,
  )
  const many = await withService(url, token, (api) => timesOf(api, samples))
  for (const [name, before, after] of [
    ['a listing that is not cached', few.listing, many.listing],
    ['a booking', few.booking, many.booking],
  ] as const) {
    const value = median(after) / median(before)
    console.log(
      `P27 ${name}: ${median(before).toFixed(2)} ms with few reservations, ${median(after).toFixed(2)} ms with ${rows[0]?.count}`,
    )
    report({
      figure: 'P27',
      name: `${name}, ${providers * perProvider} reservations of ${providers} providers against few`,
      unit: 'times',
      value,
      spread: [percentile(after, 0.1) / percentile(before, 0.1), percentile(after, 0.9) / percentile(before, 0.9)],
      bar: `<= ${bar}`,
      held: value <= bar,
    })
    if (value > bar) process.exitCode = 1
  }
  await client.end()
  await database.remove()
}

/** A function that calls the API of the running service. */
type Api = (method: 'GET' | 'POST', path: string, body?: object) => Promise<{ response: AvailableSlot[]; id: string }>

async function withService<T>(url: string, token: string, work: (api: Api) => Promise<T>): Promise<T> {
  const { child, url: root } = await serve(['--database-url', url], process.env)
  const result = await work(async (method, path, body) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const answer = await fetch(`${root}/api/v1${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    assert.ok(answer.ok, await answer.clone().text())
    return (await answer.json()) as { response: AvailableSlot[]; id: string }
  })
  await endProcess(child, 'SIGTERM')
  return result
}

/**
 * Measures listings and bookings. Each listing is of another provider, every seventh one from index `first` on, so that
 * none is cached.
 */
async function timesOf(api: Api, first: number): Promise<Times> {
  const [customer] = (await api('GET', '/customers/get/')).response as unknown as { id: string }[]
  const services = (await api('GET', '/services/get/')).response as unknown as { id: string; name: string }[]
  const serviceId = services.find(({ name }) => name === 'Check-up')?.id
  const times = { listing: [] as number[], booking: [] as number[] }
  const from = Math.floor(Date.now() / 1000) + 40 * day
  // The first requests are not counted, since the process compiles its code while they run.
  const warm = 40
  for (let n = 0; n < samples + warm; n += 1) {
    const provider = ((first + n * 7) % providers) + 1
    const path = `/availability/get/?min_timestamp=${from}&max_timestamp=${from + 7 * day}&services=${serviceId}&providers=${provider}`
    const listedAt = performance.now()
    const { response } = await api('GET', path)
    const listed = performance.now()
    const slot = response[n % response.length]
    assert.ok(slot && customer)
    const { availabilityId, providerId, start, end: until } = slot
    const bookedAt = performance.now()
    const body = { availabilityId, serviceId, providerId, start, end: until, customerId: customer.id }
    await api('POST', '/reservations/add/', body)
    if (n < warm) continue
    times.listing.push(listed - listedAt)
    times.booking.push(performance.now() - bookedAt)
  }
  return times
}

/**
 * Inserts reservations of every provider. Nineteen of twenty ended within the past ten years; the others are within the
 * next thirty days. Only the latter have rows in `occupancy`, since the service deletes those of ended reservations.
 */
async function fill(client: pg.Client): Promise<void> {
  await client.query('set session_replication_role = replica')
  const past = Math.floor(perProvider * 0.95)
  const now = Math.floor(Date.now() / 1000)
  const columns = `id, key, service_id, customer_id, provider_id, availability_id, start_at, end_at, status, data, price,
    currency, local_start, zone, tz_version, assigned_because, series_id, group_id, version, created_at, updated_at,
    attendance, note, cancel_reason`
  // Each statement inserts the rows of at most 500 providers, so that a transaction fits in memory.
  for (let from = 1; from <= providers; from += 500) {
    await client.query(
      `insert into reservation (${columns})
      select 'r_' || md5(p || ' ' || n), null, m.service_id, m.customer_id, p, m.availability_id,
        case when n <= $3 then $5 - n * 331200 else $5 + (n - $3) * 43200 end,
        case when n <= $3 then $5 - n * 331200 else $5 + (n - $3) * 43200 end + 1800,
        m.status, m.data, m.price, m.currency, m.local_start, m.zone, m.tz_version, m.assigned_because, null, null,
        m.version, m.created_at, m.updated_at, m.attendance, m.note, m.cancel_reason
      from generate_series($1::int, $2::int) p, generate_series(1, $4::int) n, (select * from reservation limit 1) m`,
      [from, Math.min(from + 499, providers), past, perProvider, now - (now % 1800)],
    )
    await client.query(
      `insert into occupancy (id, reservation_id, resource, slot, seat, start_at, end_at)
      select 'o_' || md5(r.id), r.id, 'p' || r.provider_id, 's' || r.start_at, 1, r.start_at, r.end_at
      from reservation r where r.provider_id between $1 and $2 and r.start_at > $3 and r.id like 'r\\_%' and r.start_at < $3 + 31 * 86400`,
      [from, Math.min(from + 499, providers), now],
    )
  }
  await client.query('set session_replication_role = origin')
  await client.query('vacuum analyze')
}
