import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { zoneData } from '../src/reservations/booking/reservations.operations.ts'
import { slotKey } from '../src/scheduling/plan/occupancy.ts'
import type { Interval } from '../src/scheduling/time/interval.ts'
import { wallTime } from '../src/scheduling/time/zone.ts'
import { command, freshFolder } from '../test/support/daybook.ts'
import { busyTimes, from, hours, now, until, zone } from './clinic.ts'

/** The reference clinic as a data directory; the appointments of its services last an hour. */
export interface ClinicSite {
  readonly dataDir: string
  readonly env: NodeJS.ProcessEnv
  readonly services: Readonly<Record<ClinicService, string>>
  readonly customerId: string
  readonly token: string
  /** The secret key of the site, from which slot ids are computed (see `slotIds`). */
  readonly secret: string
}

/**
 * The key of a service: `direct` is booked with a named provider, `pool` with the provider who was assigned least
 * recently.
 */
export type ClinicService = 'direct' | 'pool'

const services: readonly ClinicService[] = ['direct', 'pool']
const windows = hours.map(([opens, closes]) => `${opens}-${closes}`)

/**
 * Returns the path of an availability request for the providers 1 to `providers`, by default for the four measured
 * weeks.
 */
export function availabilityPath(
  site: ClinicSite,
  service: ClinicService,
  providers: number,
  window = { from, until },
) {
  const ids = Array.from({ length: providers }, (_, index) => index + 1)
  return availabilityPathOf(site, service, ids, window)
}

/**
 * Returns the path of a request for the available slots of one service with the providers of these ids, from `from`
 * until `until` (Unix seconds).
 */
export function availabilityPathOf(
  site: ClinicSite,
  service: ClinicService,
  providers: readonly number[],
  window: { readonly from: number; readonly until: number },
): string {
  const asked = `min_timestamp=${window.from}&max_timestamp=${window.until}&services=${site.services[service]}`
  return `/availability/get/?${asked}&providers=${providers.join(',')}`
}

/**
 * Creates a clinic with this number of providers; each has 200 busy times, half of them bookings, in each of so many
 * periods of four weeks.
 */
export async function makeClinic(providers: number, periods = 1): Promise<ClinicSite> {
  const dataDir = freshFolder()
  const env = { ...process.env, DAYBOOK_NOW: String(now) }
  const daybook = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await command([...args, '--data-dir', dataDir], env)
    assert.equal(code, 0, stderr)
    return stdout.trim()
  }
  const file = join(freshFolder(), 'site.json')
  writeFileSync(file, JSON.stringify(siteFile(providers)))
  await daybook('apply', file)
  const token = await daybook('token', 'create', '--name', 'bench', '--scope', 'write')
  const database = openRaw(dataDir)
  const text = (query: string): string => String(database.prepare(query).get()?.text)
  const ids = { direct: '', pool: '' }
  for (const key of services) ids[key] = text(`select id as text from service where key = '${key}'`)
  const customerId = text('select id as text from customer')
  fill(database, { providers, periods, serviceId: ids.direct, customerId })
  const secret = text('select secret as text from site')
  database.close()
  return { dataDir, env, services: ids, customerId, token, secret }
}

function busyTimesIn(provider: number, periods: number): Interval[] {
  const shifts = Array.from({ length: periods }, (_, period) => period * (until - from))
  return shifts.flatMap((shift) =>
    busyTimes(provider).map(({ start, end }) => ({ start: start + shift, end: end + shift })),
  )
}

/** Opens the clinic's database file directly. */
function openRaw(dataDir: string): DatabaseSync {
  return new DatabaseSync(join(dataDir, 'daybook.db'))
}

/**
 * Returns the site file (the input of `daybook apply`) of a clinic with this number of providers. Their busy times are
 * not part of the file; `fill` inserts them.
 */
export function siteFile(providers: number): object {
  return {
    site: { name: 'Bench', timezone: zone, siteUrl: 'https://bench.example', currency: 'EUR' },
    services: [
      { key: 'direct', name: 'Check-up', durationMinutes: 60, horizonDays: 365 },
      { key: 'pool', name: 'Next free', durationMinutes: 60, horizonDays: 365, routingMode: 'round_robin' },
    ],
    providers: Array.from({ length: providers }, (_, index) => ({
      id: index + 1,
      name: `Provider ${index + 1}`,
      email: `p${index + 1}@bench.example`,
      timezone: zone,
      weekly: Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => [day, windows])),
    })),
    customers: [{ key: 'c', name: 'Customer', email: 'c@bench.example' }],
  }
}

/**
 * Inserts each provider's busy times as the service would store them: alternately a reservation, with the row that
 * occupies the provider's time, and a busy time of a calendar.
 */
function fill(
  database: DatabaseSync,
  {
    providers,
    periods,
    serviceId,
    customerId,
  }: { providers: number; periods: number; serviceId: string; customerId: string },
): void {
  database.exec('begin')
  const reservation = database.prepare(`
    insert into reservation (id, service_id, customer_id, provider_id, availability_id, start_at, end_at, status,
      data, local_start, zone, tz_version, version, created_at, updated_at)
    values (?, ?, ?, ?, 'u2k9d.AAAAAAAAAAAAAAAA', ?, ?, 'confirmed', '{}', ?, '${zone}', '${zoneData}', 1, ${now}, ${now})`)
  const seat = database.prepare(`
    insert into occupancy (id, reservation_id, resource, slot, seat, start_at, end_at) values (?, ?, ?, ?, 1, ?, ?)`)
  const blocked = database.prepare(`
    insert into busy (id, provider_id, source, start_at, end_at, note) values (?, ?, 'calendar', ?, ?, '')`)
  for (let provider = 1; provider <= providers; provider += 1)
    for (const [index, { start, end }] of busyTimesIn(provider, periods).entries()) {
      const id = `r_${String(provider * 1000 + index).padStart(32, '0')}`
      if (index % 2 === 1) {
        blocked.run(`b${id}`, provider, start, end)
        continue
      }
      reservation.run(id, serviceId, customerId, provider, start, end, wallTime(zone, start))
      seat.run(`o${id}`, id, `p${provider}`, slotKey(serviceId, start, end), start, end)
    }
  database.exec('commit')
}
