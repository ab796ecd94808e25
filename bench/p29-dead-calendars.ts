// Measures the processor time of a booking while no calendar can be reached: each provider has a calendar that is read
// and a calendar to which reservations are written, both on a host that refuses connections. Rounds alternate with
// rounds on a site without calendars.

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import type { DatabaseSync } from 'node:sqlite'
import { accountPlace } from '../src/calendars/accounts/account.ts'
import { encrypt, type KeyRing } from '../src/encryption.ts'
import { median } from '../test/support/scale.ts'
import { insertCalendars } from './ics-calendars.ts'
import { LoadClients, requestText } from './load.ts'
import { medianLine } from './measure.ts'
import { signIn } from './panel.ts'
import { quick } from './quick.ts'
import { report } from './report.ts'
import { type RunningServer, run, splitTime } from './server.ts'
import { type BenchSite, bookings, makeSite, now, openRaw } from './site.ts'

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
// The first round is not counted, since its code is compiled while it runs.
const [without, withCalendars] = [taken.without.slice(1), taken.with.slice(1)]
const value = median(withCalendars) / median(without)
console.log(
  `P29 microseconds of the request thread for a booking: ${medianLine(without)}; while every calendar is dead ${medianLine(withCalendars)}; of the other threads ${medianLine(others.without.slice(1))} and ${medianLine(others.with.slice(1))}; ${failed} calendars could not be read, ${queued} writes are queued`,
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
  readonly site: BenchSite
  readonly server: RunningServer
  readonly clients: LoadClients
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
  const clients = await LoadClients.open(server, connections)
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

/**
 * Inserts two calendars for each provider: one that is read and one to which reservations can be written. The former
 * counts as read a moment ago, so that the service still offers the provider's slots.
 */
function connect(raw: DatabaseSync): void {
  const all = Array.from({ length: providers }, (_, index) => index + 1)
  const state = { readAt: now, coveredUntil: now + 400 * 86_400 }
  const calendars = all.map((providerId) => {
    return { number: providerId, providerId, url: `http://${address}/${providerId}.ics`, ...state }
  })
  insertCalendars(raw, { keys, now }, calendars)
  const account = raw.prepare(`
    insert into calendar_account (id, provider_id, kind, login, host, secret, found, created_at)
    values (?, ?, 'caldav', 'user', ?, ?, ?, ?)`)
  for (const provider of all) {
    const id = accountIdOf(provider)
    const credentials = JSON.stringify({ url: `http://${address}/${provider}`, user: 'user', password: 'secret' })
    const found = JSON.stringify([{ ref: calendarOf(provider), name: 'Appointments', writable: true }])
    account.run(id, provider, address, encrypt(keys, credentials, accountPlace(id)), found, now)
  }
}

function accountIdOf(provider: number): string {
  return `cac_${String(provider).padStart(32, '0')}`
}

function calendarOf(provider: number): string {
  return `http://${address}/${provider}/appointments/`
}

/** Chooses the calendars to which reservations are written, as the panel does. */
async function chooseDestinations(site: BenchSite, server: RunningServer): Promise<void> {
  const browser = await signIn(site, server)
  for (let provider = 1; provider <= providers; provider += 1) {
    const chosen = { id: accountIdOf(provider), calendar: calendarOf(provider), policy: 'restore', names: false }
    const { status, text } = await browser.post('/calendar-accounts/destination/', chosen)
    if (status !== 200) throw new Error(text)
  }
}

/**
 * Returns the CPU microseconds per booking of a round: first those of the request thread, which handles HTTP requests,
 * then those of all other threads.
 */
async function round({ site, server, clients, raw, bodies }: Opened): Promise<[number, number]> {
  // All calendars become due at once, as after the delay that follows a failed attempt.
  raw.exec('update connected_calendar set next_at = 0')
  raw.exec('update calendar_destination set next_at = 0')
  const requests = bodies
    .splice(0, each)
    .map((body) => requestText('POST', '/reservations/add/', site.writeToken, { body }))
  const before = await splitTime(server)
  const { answers } = await clients.sendRequests(() => requests.pop(), { milliseconds: 0, minRequests: each })
  const after = await splitTime(server)
  if (answers.get(200) !== each) throw new Error(`Not all were booked: ${JSON.stringify([...answers])}`)
  return [((after.request - before.request) * 1_000) / each, ((after.others - before.others) * 1_000) / each]
}
