import assert from 'node:assert/strict'
import { emptyDatabase } from '../test/support/databases.ts'
import { postgresServer } from '../test/support/postgres.ts'
import type { AvailableSlot } from '../test/support/test-site.ts'
import { from, until } from './clinic.ts'
import { type ClinicNode, startClinic, startNode } from './clinic-node.ts'
import { quick } from './quick.ts'
import { report } from './report.ts'

// Measures, for two nodes (processes of the service) on one database, how long one node still lists a slot after the
// other node has booked it.
const bar = 100
const bookings = quick ? 3 : 200

if (await postgresServer()) {
  const database = await emptyDatabase()
  assert.ok('databaseUrl' in database.at)
  const place = ['--database-url', database.at.databaseUrl]
  const one = await startClinic(place, false)
  const other = await startNode(place, { token: one.token, counted: false })
  const [customer] = (await ask(one, '/customers/get/')) as { id: string }[]
  assert.ok(customer)
  const delays: number[] = []
  for (let provider = 1; delays.length < bookings; provider = (provider % 50) + 1) {
    const path = `/availability/get/?min_timestamp=${from}&max_timestamp=${until}&services=${one.serviceId}&providers=${provider}`
    await ask(other, path)
    const slots = (await ask(one, path)) as AvailableSlot[]
    const slot = slots[delays.length % slots.length]
    if (slot) delays.push(await delayOf(slot, path))
  }
  delays.sort((a, b) => a - b)
  const value = delays[Math.ceil(delays.length * 0.99) - 1] ?? 0
  const median = delays[Math.floor(delays.length / 2)] ?? 0
  console.log(
    `P22 ${bookings} bookings seen on another node: median ${median.toFixed(0)} ms, p99 ${value.toFixed(0)} ms`,
  )
  report({
    figure: 'P22',
    name: 'a booking on one node is seen on another, p99',
    unit: 'ms',
    value,
    spread: [median, delays.at(-1) ?? 0],
    bar: `<= ${bar} ms`,
    held: value <= bar,
  })
  if (value > bar) process.exitCode = 1
  await one.service.stop()
  await other.service.stop()
  await database.remove()

  /**
   * Books on one node; returns the milliseconds from the node's response until the other node no longer lists the
   * slot.
   */
  async function delayOf(slot: AvailableSlot, path: string): Promise<number> {
    const { serviceId, providerId, start, end, availabilityId } = slot
    const body = { serviceId, providerId, start, end, availabilityId, customerId: customer?.id }
    await ask(one, '/reservations/add/', body)
    const since = performance.now()
    for (;;) {
      const listed = (await ask(other, path)) as AvailableSlot[]
      if (!listed.some((found) => found.start === start)) return performance.now() - since
    }
  }
} else console.log('P22 was not measured: PostgreSQL is not installed.')

async function ask({ service, token }: ClinicNode, path: string, body?: object): Promise<unknown> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const answer = await fetch(`http://${service.host}:${service.port}/api/v1${path}`, {
    headers: body ? headers : { Authorization: headers.Authorization },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  const { response } = (await answer.json()) as { response: unknown }
  assert.ok(answer.ok, `${answer.status} for ${path}`)
  return response
}
