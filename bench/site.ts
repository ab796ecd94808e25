import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { slotIds } from '../src/availability/slot-id.ts'
import { zoneData } from '../src/reservations/booking/reservations.operations.ts'
import { wallTime } from '../src/scheduling/time/zone.ts'
import { command, freshFolder } from '../test/support/daybook.ts'

/** The initial clock of every benchmark site: Monday 2026-10-05, 06:00 UTC, in Unix seconds. */
export const now = 1_791_180_000
/** The seconds between the starts of two successive slots, and the length of a slot: a quarter of an hour. */
const step = 900
const customers = 200
const zone = 'Europe/Berlin'
const daily = Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, ['00:00-24:00']]))

/** A data directory ready to be served, with the ids and tokens that clients need. */
export interface BenchSite {
  readonly dataDir: string
  readonly serviceId: string
  readonly customerIds: readonly string[]
  readonly providers: number
  readonly readToken: string
  readonly writeToken: string
  readonly secret: string
}

/** The number of providers and reservations of a site. */
export interface SiteSize {
  readonly providers: number
  /** The number of reservations that have ended when the clock starts. */
  readonly past?: number
  /** The number of reservations that begin a day or more after the clock's start. */
  readonly future?: number
}

/** Creates a site with one service of a quarter of an hour that every provider gives. */
export async function makeSite({ providers, past = 0, future = 0 }: SiteSize): Promise<BenchSite> {
  const dataDir = freshFolder()
  const daybook = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await command([...args, '--data-dir', dataDir], environment)
    assert.equal(code, 0, stderr)
    return stdout.trim()
  }
  const file = join(freshFolder(), 'site.json')
  writeFileSync(file, JSON.stringify(siteFile(providers)))
  await daybook('apply', file)
  const readToken = await daybook('token', 'create', '--name', 'reader', '--scope', 'read')
  const writeToken = await daybook('token', 'create', '--name', 'writer', '--scope', 'write')
  const database = openRaw(dataDir)
  fill(database, { providers, past, future })
  const [service] = texts(database, 'select id from service')
  const [secret] = texts(database, 'select secret as id from site')
  const customerIds = texts(database, 'select id from customer order by ordinal, id')
  database.close()
  assert.ok(service !== undefined && secret !== undefined)
  return { dataDir, serviceId: service, customerIds, providers, readToken, writeToken, secret }
}

/** The environment of the site's commands and server. */
export const environment: NodeJS.ProcessEnv = { ...process.env, DAYBOOK_NOW: String(now), DAYBOOK_LOG_LEVEL: 'info' }

/** Opens the site's database file directly. */
export function openRaw(dataDir: string): DatabaseSync {
  return new DatabaseSync(join(dataDir, 'daybook.db'))
}

/**
 * Returns `count` request bodies (JSON) that book distinct free slots: first slots of provider 1, then of provider 2,
 * and so on, for each from `firstDay` days after the initial clock on.
 */
export function bookings(site: BenchSite, count: number, firstDay = 2): string[] {
  const perProvider = Math.ceil(count / site.providers)
  const slots = Array.from({ length: count }, (_, index) => {
    const start = now + firstDay * 86_400 + (index % perProvider) * step
    return { providerId: 1 + Math.floor(index / perProvider), start, end: start + step }
  })
  const ids = slotIds(site.secret, site.serviceId, now, slots)
  return slots.map((slot, index) =>
    JSON.stringify({
      serviceId: site.serviceId,
      customerId: site.customerIds[index % site.customerIds.length],
      availabilityId: ids[index],
      ...slot,
    }),
  )
}

function siteFile(providers: number): object {
  return {
    site: { name: 'Bench', timezone: zone, siteUrl: 'https://bench.example', currency: 'EUR' },
    services: [{ key: 'visit', name: 'Visit', durationMinutes: step / 60, horizonDays: 365 }],
    providers: Array.from({ length: providers }, (_, index) => ({
      id: index + 1,
      name: `Provider ${index + 1}`,
      email: `p${index + 1}@bench.example`,
      timezone: zone,
      weekly: daily,
    })),
    customers: Array.from({ length: customers }, (_, index) => ({
      key: `c${index}`,
      name: `Customer ${index}`,
      email: `c${index}@bench.example`,
    })),
  }
}

/** Inserts reservations as the service would store them; future ones also get the rows by which they occupy time. */
function fill(database: DatabaseSync, { providers, past, future }: Required<SiteSize>): void {
  // Durability is irrelevant, since the data can be created again.
  database.exec('pragma synchronous = off; begin')
  // The column `local_start` gets the actual wall time. With any other time, the service would count a future
  // reservation as displaced by a change of its time zone.
  database.function('wall_time', { deterministic: true }, (at) => wallTime(zone, Number(at)))
  for (const [name, count, at] of [
    ['past', past, `${now} - (1 + n / ${providers}) * ${step}`],
    ['future', future, `${now + 86_400} + (n / ${providers}) * ${step}`],
  ] as const) {
    if (count === 0) continue
    database.exec(`
      insert into reservation (id, service_id, customer_id, provider_id, availability_id, start_at, end_at, status,
        data, local_start, zone, tz_version, version, created_at, updated_at)
      with recursive counted(n) as (select 0 union all select n + 1 from counted where n < ${count - 1}),
        placed as (select n, ${at} as start_at from counted),
        numbered as materialized (select id, row_number() over (order by ordinal, id) - 1 as place from customer)
      select printf('r_${name}%026d', n), (select id from service),
        (select id from numbered where place = n % ${customers}),
        1 + n % ${providers}, 'u2k9d.AAAAAAAAAAAAAAAA', start_at, start_at + ${step}, 'confirmed', '{"note":"Window seat"}',
        wall_time(start_at), '${zone}', '${zoneData}', 1, ${now}, ${now}
      from placed`)
    if (name === 'past') continue
    database.exec(`
      insert into occupancy (id, reservation_id, resource, slot, seat, start_at, end_at)
      select 'o_' || substr(id, 3), id, 'p' || provider_id, service_id || ':' || start_at || ':' || end_at, 1,
        start_at, end_at
      from reservation where start_at > ${now}`)
  }
  database.exec('commit; pragma wal_checkpoint(truncate)')
}

function texts(database: DatabaseSync, query: string): string[] {
  return database
    .prepare(query)
    .all()
    .map(({ id }) => String(id))
}
