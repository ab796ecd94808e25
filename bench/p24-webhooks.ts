// Compares the processor time of the request thread, which handles HTTP requests, for a booking on a site with a
// webhook and on one without. A round lasts until all of its webhook deliveries have been recorded.

import type { DatabaseSync } from 'node:sqlite'
import { startReceiver } from '../test/webhooks/receiver.ts'
import { LoadClients, requestText } from './load.ts'
import { signIn } from './panel.ts'
import { quick } from './quick.ts'
import { report } from './report.ts'
import { type RunningServer, run, splitTime } from './server.ts'
import { type BenchSite, bookings, makeSite, openRaw } from './site.ts'

const bar = 1.05
const each = quick ? 20 : 500
const times = quick ? 2 : 15
const connections = 4

const receiver = await startReceiver()
const [plain, reporting] = [await opened(), await opened()]
await addEndpoint(reporting)
const taken = { with: [] as number[], without: [] as number[] }
for (let time = 0; time < times; time++) {
  taken.without.push(await round(plain, 0))
  taken.with.push(await round(reporting, each))
}
for (const { server, clients, raw } of [plain, reporting]) {
  clients.close()
  raw.close()
  await server.stop()
}
await receiver.close()
// The first round is not counted, since its code is compiled while it runs.
const [without, withWebhook] = [taken.without.slice(1), taken.with.slice(1)]
const value = Math.min(...withWebhook) / Math.min(...without)
console.log(
  `P24 microseconds of the request thread for a booking: ${shown(without)}; reported by a webhook ${shown(withWebhook)}`,
)
report({
  figure: 'P24',
  name: 'a booking that a webhook reports against one that none reports, processor time of the request thread',
  unit: 'times',
  value,
  spread: [Math.min(...withWebhook) / Math.max(...without), Math.max(...withWebhook) / Math.min(...without)],
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

async function opened(): Promise<Opened> {
  const site = await makeSite({ providers: 50 })
  const server = await run(site, { DAYBOOK_OUTBOUND_NETWORKS: '127.0.0.0/8', DAYBOOK_SECRET_KEY: '5e'.repeat(32) })
  const clients = await LoadClients.open(server, connections)
  return { site, server, clients, raw: openRaw(site.dataDir), bodies: bookings(site, each * times) }
}

async function addEndpoint({ site, server }: Opened): Promise<void> {
  const browser = await signIn(site, server)
  const added = await browser.post('/webhooks/add/', { url: receiver.url, events: ['reservation.*'] })
  if (added.status !== 200) throw new Error(added.text)
}

/**
 * Returns the CPU microseconds per booking that the request thread (which handles HTTP requests) takes in a round,
 * until the deliveries of the round's bookings are recorded.
 */
async function round({ site, server, clients, raw, bodies }: Opened, deliveries: number): Promise<number> {
  const requests = bodies
    .splice(0, each)
    .map((body) => requestText('POST', '/reservations/add/', site.writeToken, { body }))
  const recorded = () =>
    Number(raw.prepare(`select count(*) as n from webhook_delivery where state = 'delivered'`).get()?.n)
  const until = recorded() + deliveries
  const before = await splitTime(server)
  const { answers } = await clients.sendRequests(() => requests.pop(), { milliseconds: 0, minRequests: each })
  if (answers.get(200) !== each) throw new Error(`Not all bookings were made: ${JSON.stringify([...answers])}`)
  while (recorded() < until) await new Promise((turn) => setTimeout(turn, 20))
  return (((await splitTime(server)).request - before.request) * 1000) / each
}

function shown(taken: readonly number[]): string {
  return `${Math.min(...taken).toFixed(0)} (up to ${Math.max(...taken).toFixed(0)})`
}
