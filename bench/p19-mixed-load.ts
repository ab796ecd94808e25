// Measures the memory of the service after ten minutes of mixed load on the demo site: availability of all sizes,
// lists, bookings and pages, at full speed on several connections.

import { setTimeout as pause } from 'node:timers/promises'
import { command, freshFolder, serve } from '../test/support/daybook.ts'
import { seededRandom } from '../test/support/scale.ts'
import { LoadClients, requestText } from './load.ts'
import { quick } from './quick.ts'
import { report } from './report.ts'
import { observe } from './server.ts'
import { environment, now } from './site.ts'

const bar = 220
const milliseconds = quick ? 500 : 600_000
/** Milliseconds between two readings of the service's memory. */
const lookEvery = 5_000
const connections = 8
const day = 86_400
const random = seededRandom(19)

interface Slot {
  readonly availabilityId: string
  readonly serviceId: string
  readonly providerId: number
  readonly start: number
  readonly end: number
}

const dataDir = freshFolder()
const { child, url } = await serve(['--demo', '--data-dir', dataDir], environment)
const { hostname, port } = new URL(url)
const server = observe(child, { host: hostname, port: Number(port) })
const token = await tokenOf('write')
const [services, providers, customers] = await Promise.all(
  ['services', 'providers', 'customers'].map((list) => idsOf(`/${list}/get/?per_page=100`)),
)
const slots: Slot[] = []
const clients = await LoadClients.open(server, connections)
const [rest, seen] = [server.memory(), [] as number[]]
const looking = setInterval(() => seen.push(server.memory()), lookEvery)
const refilling = setInterval(() => void refill(), 1_000)
await refill()
const { answers, total, seconds } = await clients.sendRequests(next, { milliseconds, minRequests: 1 })
clearInterval(looking)
clearInterval(refilling)
const atEnd = server.memory()
clients.close()
let after = atEnd
for (let look = 0; look < (quick ? 1 : 60); look += 1) {
  await pause(500)
  after = Math.min(after, server.memory())
}
await server.stop()
const statuses = [...answers].map(([status, count]) => `${count} × ${status}`).join(', ')
console.log(
  `P19 ${Math.round(total / seconds)} requests a second for ${Math.round(seconds)} s: ${statuses}; memory ${rest.toFixed(0)} MB before, at most ${Math.max(atEnd, ...seen).toFixed(0)} MB, ${atEnd.toFixed(0)} MB at the end, ${after.toFixed(0)} MB within half a minute`,
)
report({
  figure: 'P19',
  name: 'memory after ten minutes of mixed load on the demo site',
  unit: 'MB',
  value: atEnd,
  spread: [after, Math.max(atEnd, ...seen)],
  bar: `<= ${bar}`,
  held: atEnd <= bar,
})

/**
 * Returns a random request: half of all requests are for availability, a tenth each for reservations, for customers and
 * for the booking page, a tenth are bookings, and the others read events and services. When no free slot is left, a
 * request for the providers takes the place of a booking.
 */
function next(): string {
  const lot = random()
  if (lot < 0.5) return requestText('GET', availabilityPath(), token)
  if (lot < 0.6) return requestText('GET', `/reservations/get/?per_page=100&page=${1 + whole(8)}`, token)
  if (lot < 0.7) return requestText('GET', `/customers/get/?per_page=100&page=${1 + whole(4)}`, token)
  if (lot < 0.75) return requestText('GET', `/events/get/?limit=${1 + whole(200)}`, token)
  if (lot < 0.8) return requestText('GET', '/services/get/', token)
  if (lot < 0.9) return `GET /book/ HTTP/1.1\r\nHost: bench\r\n\r\n`
  const slot = slots.splice(whole(slots.length), 1)[0]
  if (!slot) return requestText('GET', '/providers/get/', token)
  const { availabilityId, serviceId, providerId, start, end } = slot
  const body = { availabilityId, serviceId, providerId, start, end, customerId: oneOf(customers) }
  return requestText('POST', '/reservations/add/', token, { body: JSON.stringify(body) })
}

/**
 * Returns the path of a request for availability over a day, a week or four weeks, of one service or all, and of one
 * provider or all.
 */
function availabilityPath(): string {
  const from = now + whole(60) * day
  const days = [1, 7, 28][whole(3)] ?? 1
  const one = random() < 0.7 ? `&services=${oneOf(services)}` : ''
  const whose = random() < 0.5 ? `&providers=${oneOf(providers)}` : ''
  return `/availability/get/?min_timestamp=${from}&max_timestamp=${from + days * day}${one}${whose}`
}

/**
 * Adds available slots to `slots`, from which the load takes the slots that it books, unless more than 200 are left.
 */
async function refill(): Promise<void> {
  if (slots.length > 200) return
  slots.push(...(await ask<Slot>(availabilityPath())))
}

async function idsOf(path: string): Promise<string[]> {
  return (await ask<{ id: string | number }>(path)).map(({ id }) => String(id))
}

async function ask<T>(path: string): Promise<T[]> {
  const answer = await fetch(`${url}/api/v1${path}`, { headers: { Authorization: `Bearer ${token}` } })
  if (answer.status !== 200) throw new Error(`${path}: ${await answer.text()}`)
  return ((await answer.json()) as { response: T[] }).response
}

async function tokenOf(scope: string): Promise<string> {
  const { code, stdout, stderr } = await command(
    ['token', 'create', '--name', 'load', '--scope', scope, '--data-dir', dataDir],
    environment,
  )
  if (code !== 0) throw new Error(stderr)
  return stdout.trim()
}

function oneOf(from: readonly string[] | undefined): string {
  return from?.[whole(from.length)] ?? ''
}

function whole(below: number): number {
  return Math.floor(random() * below)
}
