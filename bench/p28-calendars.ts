// Measures the processor time of the request thread (which handles HTTP requests) for an availability request while the
// service reads two calendars of each of 1,000 providers, 5 % of which have changed; and how long reading all calendars
// takes. All calendars are files on one host, which is the slowest case, since one job reads all calendars of a host.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { median } from '../test/support/scale.ts'
import { from, now } from './clinic.ts'
import { availabilityPathOf, makeClinic } from './clinic-site.ts'
import { calendarId, insertCalendars } from './ics-calendars.ts'
import { LoadClients, requestText } from './load.ts'
import { medianLine } from './measure.ts'
import { signIn } from './panel.ts'
import { quick } from './quick.ts'
import { report } from './report.ts'
import { run, splitTime } from './server.ts'

const cpuBar = 1.1
/** Seconds between two readings of a calendar. */
const interval = 300
const providers = quick ? 10 : 1_000
const calendarsEach = 2
const events = quick ? 10 : 200
const changedShare = 0.05
const rounds = quick ? 2 : 7
const milliseconds = quick ? 100 : 3_000
const connections = 2
const secretKey = '5e'.repeat(32)

/** The number of times that each calendar has changed. */
const versions = Array.from({ length: providers * calendarsEach }, () => 0)
const files = createServer((request, response) => {
  const index = Number(request.url?.slice(1).replace('.ics', ''))
  const etag = `"${versions[index]}"`
  const isSame = request.headers['if-none-match'] === etag
  response.writeHead(isSame ? 304 : 200, { etag, 'content-type': 'text/calendar' })
  response.end(isSame ? undefined : fileOf(index))
})
files.listen(0, '127.0.0.1')
await once(files, 'listening')
const { port } = files.address() as AddressInfo

const site = await makeClinic(providers)
const raw = new DatabaseSync(join(site.dataDir, 'daybook.db'))
raw.exec('pragma busy_timeout = 10000')
insertCalendars(
  raw,
  { keys: [Buffer.from(secretKey, 'hex')], now },
  [...versions.keys()].map((number) => ({
    ...{ number, providerId: 1 + Math.floor(number / calendarsEach), url: `http://127.0.0.1:${port}/${number}.ics` },
    ...{ readAt: 0, coveredUntil: 0 },
  })),
)
const server = await run(site, {
  ...site.env,
  DAYBOOK_SECRET_KEY: secretKey,
  DAYBOOK_OUTBOUND_NETWORKS: '127.0.0.0/8',
})
const browser = await signIn(site, server, now)
await sync(() => {})
const reads = Array.from({ length: providers }, (_, index) =>
  requestText('GET', availabilityPathOf(site, 'direct', [index + 1], { from, until: from + 28 * 86_400 }), site.token),
)
let asked = 0
const next = () => reads[(asked++ * 7_919) % reads.length]
const clients = await LoadClients.open(server, connections)
// The warm-up computes each response once and compiles the code.
await clients.sendRequests(next, { milliseconds, minRequests: reads.length })

const taken = { idle: [] as number[], reading: [] as number[], seconds: [] as number[], cpu: [] as number[] }
for (let round = 0; round < rounds; round += 1) {
  taken.idle.push(await measured(() => clients.sendRequests(next, { milliseconds, minRequests: 1 })))
  for (let index = 0; index < versions.length * changedShare; index += 1) {
    const changed = (round * 997 + index * 19) % versions.length
    versions[changed] = (versions[changed] ?? 0) + 1
  }
  const [since, before] = [performance.now(), await splitTime(server)]
  let isRead = false
  const reading = sync(() => {
    isRead = true
  })
  taken.reading.push(
    await measured(() =>
      clients.sendRequests(() => (isRead ? undefined : next()), { milliseconds: 0, minRequests: 1e9 }),
    ),
  )
  await reading
  taken.seconds.push((performance.now() - since) / 1_000)
  taken.cpu.push(((await splitTime(server)).others - before.others) / 1_000)
}
clients.close()
raw.close()
await server.stop()
files.close()

const [seconds, cpu] = [median(taken.seconds), median(taken.cpu)]
const ratios = taken.reading.map((spent) => spent / median(taken.idle))
/**
 * Returns the cost of an interval in which all calendars are read once, relative to an interval in which none is read.
 * `ratio` is the cost of a request while calendars are read, relative to the cost at other times.
 */
const overInterval = (ratio: number): number => 1 + ((ratio - 1) * Math.min(seconds, interval)) / interval
const value = overInterval(median(ratios))
console.log(
  `P28 microseconds of the request thread for a read: ${medianLine(taken.idle)}; while calendars are read ${medianLine(taken.reading)}; a reading takes ${seconds.toFixed(1)} s beside reads at full speed, ${cpu.toFixed(1)} s of processor time of the other threads`,
)
report({
  figure: 'P28',
  name: `availability over five minutes in which ${versions.length} calendars of ${events} events are read, 5 % of them changed, against none; processor time of the request thread`,
  unit: 'times',
  value,
  spread: [overInterval(Math.min(...ratios)), overInterval(Math.max(...ratios))],
  bar: `<= ${cpuBar}`,
  held: value <= cpuBar,
})
report({
  figure: 'P28',
  name: 'reading all of them once, beside reads of availability at full speed',
  unit: 's',
  value: seconds,
  spread: [Math.min(...taken.seconds), Math.max(...taken.seconds)],
  bar: `<= ${interval}`,
  held: seconds <= interval,
})

/**
 * Returns the iCalendar file of a calendar. With each version, one event moves by half an hour, and after eight
 * versions back.
 */
function fileOf(index: number): string {
  const lines = Array.from({ length: events }, (_, event) => {
    const moved = event === 0 ? ((versions[index] ?? 0) % 8) * 1_800 : 0
    const start = from + Math.floor((event * 28 * 86_400) / events / 900) * 900 + (index % 5) * 300 + moved
    return [
      ...['BEGIN:VEVENT', `UID:${index}-${event}@files`, 'DTSTAMP:20260101T000000Z', `SUMMARY:Event ${event}`],
      ...[`DTSTART:${stamp(start)}`, `DTEND:${stamp(start + 1_500)}`, 'END:VEVENT'],
    ].join('\r\n')
  })
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Bench//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n')
}

function stamp(seconds: number): string {
  return `${new Date(seconds * 1_000).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`
}

/**
 * Makes all calendars due, and waits until the service has read each of them; then calls `onRead`. Throws when a
 * calendar could not be read.
 */
async function sync(onRead: () => void): Promise<void> {
  raw.exec('update connected_calendar set next_at = 0')
  const { status, text } = await browser.post('/calendars/sync/', { id: calendarId(0) })
  if (status !== 200) throw new Error(text)
  const due = raw.prepare(`select count(*) as count from connected_calendar where next_at <= ${now}`)
  const begun = performance.now()
  while (Number(due.get()?.count) > 0) {
    if (performance.now() - begun > 2 * interval * 1_000) throw new Error('The calendars were not read.')
    await new Promise((turn) => setTimeout(turn, 50))
  }
  const faulty = raw.prepare('select fault from connected_calendar where fault is not null limit 1').get()
  if (faulty) throw new Error(`A calendar could not be read: ${faulty.fault}`)
  onRead()
}

/** Returns the CPU microseconds per request that the request thread takes in a round. */
async function measured(ask: () => ReturnType<LoadClients['sendRequests']>): Promise<number> {
  const begun = await splitTime(server)
  const { answers } = await ask()
  const spent = (await splitTime(server)).request - begun.request
  const read = answers.get(200) ?? 0
  if (answers.size !== 1 || read === 0) throw new Error(`Not all were answered: ${JSON.stringify([...answers])}`)
  return (spent * 1_000) / read
}
