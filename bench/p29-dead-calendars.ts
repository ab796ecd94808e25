// What a booking costs while every calendar is dead: each provider has one that is read and one to which reservations are
// written, on a host that refuses connections. Bookings on a site with them and on one without, alternately.

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import type { DatabaseSync } from 'node:sqlite'
import { accountPlace } from '../src/calendars/accounts/account.ts'
import { calendarPlace, defaultBlocking } from '../src/calendars/calendar.ts'
import { encrypt, type KeyRing } from '../src/encryption.ts'
import { inside } from '../test/support/panel-door.ts'
import { median } from '../test/support/scale.ts'
import { openSql } from '../test/support/sql.ts'
import { Clients, requestText } from './load.ts'
import { quick } from './quick.ts'
import { report } from './report.ts'
import { type Running, run } from './server.ts'
import { bookings, makeSite, now, openRaw, type Site } from './site.ts'

const bar = 1.05
const providers = 50
const each = quick ? 20 : 1_000
const rounds = quick ? 2 : 15
const connections = 4
const secretKey = '5e'.repeat(32)
const keys: KeyRing = [Buffer.from(secretKey, 'hex')]

const address = `127.0.0.1:${await closedPort()}`
const plain = await opened(false)
const dead = await opened(true)
const taken = { with: [] as number[], without: [] as number[] }
const others = { with: [] as number[], without: [] as number[] }
for (let time = 0; time < rounds; time++) {
  for (const [name, of] of [['without', plain] as const, ['with', dead] as const]) {
    const [main, rest] = await round(of)
    taken[name].push(main)
    others[name].push(rest)
  }
}
const { failed, queued } = dead.raw
  .prepare(`select (select count(*) from connected_calendar where fault is not null) as failed,
    (select count(*) from job where kind = 'calendar-event') as queued`)
  .get() as { failed: number; queued: number }
if (failed === 0 || queued < each) throw new Error(`Only ${failed} calendars failed, and ${queued} writes are queued.`)
for (const { server, clients, raw } of [plain, dead]) {
  clients.close()
  raw.close()
  await server.stop()
}
// The first round compiles.
const [without, withCalendars] = [taken.without.slice(1), taken.with.slice(1)]
const value = median(withCalendars) / median(without)
console.log(
  `P29 microseconds of the request thread for a booking: ${shown(without)}; while every calendar is dead ${shown(withCalendars)}; of the other threads ${shown(others.without.slice(1))} and ${shown(others.with.slice(1))}; ${failed} calendars could not be read, ${queued} writes are queued`,
)
report({
  figure: 'P29',
  name: `a booking while the calendars of ${providers} providers cannot be reached against one without calendars, processor time of the request thread`,
  unit: 'times',
  value,
  spread: [Math.min(...withCalendars) / Math.max(...without), Math.max(...withCalendars) / Math.min(...without)],
  bar: `<= ${bar}`,
  held: value <= bar,
})

interface Opened {
  readonly site: Site
  readonly server: Running
  readonly clients: Clients
  readonly raw: DatabaseSync
  readonly bodies: string[]
}

async function opened(isConnected: boolean): Promise<Opened> {
  const site = await makeSite({ providers })
  const raw = openRaw(site.dataDir)
  raw.exec('pragma busy_timeout = 10000')
  if (isConnected) connect(raw)
  const server = await run(site, { DAYBOOK_OUTBOUND_NETWORKS: '127.0.0.0/8', DAYBOOK_SECRET_KEY: secretKey })
  if (isConnected) await chooseDestinations(site, server)
  const clients = await Clients.open(server, connections)
  return { site, server, clients, raw, bodies: bookings(site, each * rounds) }
}

/** Returns a port on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Connects the calendars of each provider: they were read a moment ago, so that the provider is still offered. */
function connect(raw: DatabaseSync): void {
  const source = raw.prepare(`
    insert into connected_calendar (id, provider_id, kind, name, host, secret, blocking, opening, opening_faults, content,
      covered_until, read_at, tried_at, next_at, failures, fault, fault_detail, revision, turn, account_id, remote,
      created_at, updated_at)
    values (?, ?, 'ics', 'Private', ?, ?, ?, '', '[]', '', ?, ?, ?, 0, 0, null, '', 0, 0, null, null, ?, ?)`)
  const account = raw.prepare(`
    insert into calendar_account (id, provider_id, kind, login, host, secret, found, created_at)
    values (?, ?, 'caldav', 'user', ?, ?, ?, ?)`)
  raw.exec('begin')
  for (let provider = 1; provider <= providers; provider += 1) {
    const suffix = String(provider).padStart(32, '0')
    const [calendarId, accountId] = [`cal_${suffix}`, accountIdOf(provider)]
    const url = `http://${address}/${provider}`
    const file = encrypt(keys, JSON.stringify({ url: `${url}.ics` }), calendarPlace(calendarId))
    const horizon = now + 400 * 86_400
    source.run(calendarId, provider, address, file, JSON.stringify(defaultBlocking), horizon, now, now, now, now)
    const credentials = JSON.stringify({ url, user: 'user', password: 'secret' })
    const found = JSON.stringify([{ ref: workCalendar(provider), name: 'Work', writable: true }])
    account.run(accountId, provider, address, encrypt(keys, credentials, accountPlace(accountId)), found, now)
  }
  raw.exec('commit')
}

function accountIdOf(provider: number): string {
  return `cac_${String(provider).padStart(32, '0')}`
}

function workCalendar(provider: number): string {
  return `http://${address}/${provider}/work/`
}

/** Chooses the calendars to which reservations are written, as the panel does. */
async function chooseDestinations(site: Site, { host, port }: Running): Promise<void> {
  const sql = openSql({ dataDir: site.dataDir, databaseUrl: undefined })
  const session = { lastSeenAt: now, expiresAt: now + 40_000, authenticatedAt: now }
  const { browser } = await inside({ server: { url: `http://${host}:${port}` }, sql }, 'admin', session)
  for (let provider = 1; provider <= providers; provider += 1) {
    const chosen = { id: accountIdOf(provider), calendar: workCalendar(provider), policy: 'restore', names: false }
    const { status, text } = await browser.post('/calendar-accounts/destination/', chosen)
    if (status !== 200) throw new Error(text)
  }
  await sql.close()
}

/** Returns the microseconds of the request thread, and those of all other threads, for each booking of a round. */
async function round({ site, server, clients, raw, bodies }: Opened): Promise<[number, number]> {
  // Whatever failed is due again, as though it had waited.
  raw.exec('update connected_calendar set next_at = 0')
  raw.exec('update calendar_destination set next_at = 0')
  const requests = bodies
    .splice(0, each)
    .map((body) => requestText('POST', '/reservations/add/', site.writeToken, { body }))
  const [mainBefore, restBefore] = await threads(server)
  const { answers } = await clients.ask(() => requests.pop(), { milliseconds: 0, minRequests: each })
  const [main, rest] = await threads(server)
  if (answers.get(200) !== each) throw new Error(`Not all were booked: ${JSON.stringify([...answers])}`)
  return [((main - mainBefore) * 1_000) / each, ((rest - restBefore) * 1_000) / each]
}

/** Returns the milliseconds of processor time of the request thread and of all other threads. */
async function threads(server: Running): Promise<[number, number]> {
  const spent = [...(await server.cpu())].sort(([one], [other]) => Number(one) - Number(other)).map(([, time]) => time)
  const [main = 0, ...rest] = spent
  return [main, rest.reduce((sum, one) => sum + one, 0)]
}

function shown(values: readonly number[]): string {
  return `${median(values).toFixed(0)} (${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)})`
}
