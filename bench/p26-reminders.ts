import { median } from '../test/support/scale.ts'
// Measures the processor time of the request thread, which handles HTTP requests, for a booking while 100,000 reminders
// are due within an hour, and the delay of the event loop meanwhile. Bookings at full speed alternate between a site
// without reminders and a site that sends them.

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { DatabaseSync } from 'node:sqlite'
import { SMTPServer } from 'smtp-server'
import { zoneData } from '../src/reservations/booking/reservations.operations.ts'
import { LoadClients, requestText } from './load.ts'
import { medianLine } from './measure.ts'
import { signIn } from './panel.ts'
import { quick } from './quick.ts'
import { report } from './report.ts'
import { type RunningServer, run, splitTime } from './server.ts'
import { type BenchSite, bookings, makeSite, now, openRaw } from './site.ts'

const cpuBar = 1.05
const delayBar = 20
const reminders = quick ? 300 : 100_000
const rounds = quick ? 2 : 11
const milliseconds = quick ? 200 : 2_000
const perRound = quick ? 40 : 2_500
const connections = 4
const day = 86_400
/**
 * The seconds from the start of the service's clock to the first due reminder. In this time, the service creates the
 * jobs that send the reminders.
 */
const lead = quick ? 5 : 40

let arrived = 0
const post = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData: (stream, _, callback) => {
    stream.resume().on('end', () => {
      arrived += 1
      callback()
    })
  },
})
post.listen(0, '127.0.0.1')
await once(post.server, 'listening')
const { port } = post.server.address() as AddressInfo

const plain = await opened(0)
const reminding = await opened(reminders)
while (arrived === 0) await new Promise((turn) => setTimeout(turn, 200))
await loopDelay(reminding)
// The connections are opened only now, since the service closes idle connections after 72 seconds.
const clients = {
  plain: await LoadClients.open(plain.server, connections),
  reminding: await LoadClients.open(reminding.server, connections),
}
const taken = { with: [] as number[], without: [] as number[] }
const [since, before] = [performance.now(), arrived]
for (let time = 0; time < rounds; time++) {
  taken.without.push(await round(plain, clients.plain))
  taken.with.push(await round(reminding, clients.reminding))
}
const perSecond = (arrived - before) / ((performance.now() - since) / 1000)
const delay = (await loopDelay(reminding)) * 1000
clients.plain.close()
clients.reminding.close()
for (const { raw, server } of [plain, reminding]) {
  raw.close()
  await server.stop()
}
post.close(() => {})
// The first round is not counted, since its code is compiled while it runs.
const [without, withReminders] = [taken.without.slice(1), taken.with.slice(1)]
const value = median(withReminders) / median(without)
console.log(
  `P26 microseconds of the request thread for a booking: ${medianLine(without)}; while ${perSecond.toFixed(0)} reminders a second are sent ${medianLine(withReminders)}`,
)
report({
  figure: 'P26',
  name: `a booking while ${reminders} reminders are due within an hour against one without, processor time of the request thread`,
  unit: 'times',
  value,
  spread: [Math.min(...withReminders) / Math.max(...without), Math.max(...withReminders) / Math.min(...without)],
  bar: `<= ${cpuBar}`,
  held: value <= cpuBar,
})
report({
  figure: 'P26',
  name: 'delay of the event loop meanwhile, 99th percentile',
  unit: 'ms',
  value: delay,
  spread: [delay, delay],
  bar: `<= ${delayBar}`,
  held: delay <= delayBar,
})

interface Opened {
  readonly site: BenchSite
  readonly server: RunningServer
  readonly raw: DatabaseSync
  readonly bodies: string[]
}

async function opened(due: number): Promise<Opened> {
  const site = await makeSite({ providers: 50 })
  const raw = openRaw(site.dataDir)
  addReservations(raw, site, due)
  const server = await run(site, { DAYBOOK_SECRET_KEY: '5e'.repeat(32) })
  const browser = await signIn(site, server)
  const edited = await browser.post('/notifications/settings/edit/', {
    ...{ enabled: true, reminders: [1_440], followUp: null, quietHours: null },
    disabled: ['request_received', 'confirmed', 'provider_new'],
    smtp: { host: '127.0.0.1', port, security: 'none', user: '' },
    from: { name: 'Bench', address: 'desk@bench.example' },
  })
  if (edited.status !== 200) throw new Error(edited.text)
  return { site, server, raw, bodies: bookings(site, perRound * rounds) }
}

/** Inserts reservations whose reminders become due evenly, 100,000 per hour, from `lead` seconds after the start on. */
function addReservations(raw: DatabaseSync, { serviceId, customerIds }: BenchSite, count: number): void {
  const insert = raw.prepare(`
    insert into reservation (id, service_id, customer_id, provider_id, availability_id, start_at, end_at, status,
      data, local_start, zone, tz_version, version, created_at, updated_at)
    values (?, ?, ?, 1, '', ?, ?, 'confirmed', '{}', '', 'Europe/Berlin', ?, 1, 0, 0)`)
  raw.exec('begin')
  for (let n = 0; n < count; n++) {
    const start = now + lead + day + Math.floor((n * 3_600) / 100_000)
    const customer = customerIds[n % customerIds.length] ?? ''
    insert.run(`r_${String(n).padStart(32, '0')}`, serviceId, customer, start, start + 900, zoneData)
  }
  raw.exec('commit')
}

/** Returns the CPU microseconds per booking that the request thread (which handles HTTP requests) takes in a round. */
async function round({ site, server, bodies }: Opened, asking: LoadClients): Promise<number> {
  const requests = bodies
    .splice(0, perRound)
    .map((body) => requestText('POST', '/reservations/add/', site.writeToken, { body }))
  const begun = await splitTime(server)
  const { answers } = await asking.sendRequests(() => requests.pop(), { milliseconds, minRequests: 1 })
  const spent = (await splitTime(server)).request - begun.request
  const booked = answers.get(200) ?? 0
  if (answers.size !== 1 || booked === 0) throw new Error(`Not all were booked: ${JSON.stringify([...answers])}`)
  return (spent * 1000) / booked
}

async function metricsOf({ server }: Opened): Promise<string> {
  return (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text()
}

/** Returns the 99th percentile of the event loop's delay, in seconds, since the last call. */
async function loopDelay(of: Opened): Promise<number> {
  return Number(/^daybook_event_loop_delay_seconds\{quantile="0\.99"\} (\S+)$/m.exec(await metricsOf(of))?.[1])
}
