import assert from 'node:assert/strict'
import { emptyDatabase } from '../test/support/databases.ts'
import { postgresServer } from '../test/support/postgres.ts'
import { median } from '../test/support/scale.ts'
import type { AvailableSlot } from '../test/support/test-site.ts'
import { from, until } from './clinic.ts'
import { type ClinicNode, startClinic, startNode } from './clinic-node.ts'
import { bookingCosts, bookingsOf } from './postgres-bookings.ts'
import { quick } from './quick.ts'
import { report } from './report.ts'

// Measures, for two nodes (processes of the service) on one database, how long one node still lists a slot after the
// other node has booked it; and how much telling the other nodes adds to a booking.
const bar = 100
const bookings = quick ? 3 : 200
const tellingBar = 0.1
const telling = quick ? { round: 3, uncounted: 1 } : { round: 200, uncounted: 50 }
const rounds = quick ? 2 : 40

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
  console.log(
    `P22 ${bookings} bookings seen on another node: median ${median(delays).toFixed(0)} ms, p99 ${value.toFixed(0)} ms`,
  )
  report({
    figure: 'P22',
    name: 'a booking on one node is seen on another, p99',
    unit: 'ms',
    value,
    spread: [median(delays), delays.at(-1) ?? 0],
    bar: `<= ${bar} ms`,
    held: value <= bar,
  })
  if (value > bar) process.exitCode = 1
  await costOfTelling(one, database.at.databaseUrl)
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

  /**
   * Compares the processor time of bookings while the triggers are enabled that tell other nodes of them with that of
   * bookings without these triggers, in alternating rounds.
   */
  async function costOfTelling(node: ClinicNode, url: string): Promise<void> {
    const bodies = await bookingsOf(node, rounds * (telling.round + telling.uncounted))
    const costs = await bookingCosts(node, url, bodies, {
      ...telling,
      async prepare(client, number) {
        const { rows } = await client.query<{ name: string; table: string }>(
          `select tgname as name, tgrelid::regclass::text as table from pg_trigger where tgname like 'invalidate%'`,
        )
        const change = number % 2 === 0 ? 'enable' : 'disable'
        for (const { name, table } of rows) await client.query(`alter table ${table} ${change} trigger ${name}`)
      },
    })
    const [told, untold] = [0, 1].map((parity) => costs.filter((_, number) => number % 2 === parity))
    assert.ok(told && untold)
    const share = median(told) / median(untold) - 1
    console.log(
      `P22 a booking that tells other nodes: ${median(told).toFixed(0)} µs, without ${median(untold).toFixed(0)} µs`,
    )
    report({
      figure: 'P22',
      name: 'processor time of a booking that the triggers for other nodes add',
      unit: 'share',
      value: share,
      spread: [Math.min(...told) / Math.max(...untold) - 1, Math.max(...told) / Math.min(...untold) - 1],
      bar: `<= ${tellingBar}`,
      held: share <= tellingBar,
    })
    if (share > tellingBar) process.exitCode = 1
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
