import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import pg from 'pg'
import type { AvailableSlot } from '../test/support/test-site.ts'
import { now } from './clinic.ts'
import type { ClinicNode } from './clinic-node.ts'
import { LoadClients, requestText } from './load.ts'

const day = 86_400

/** Returns the request bodies (JSON) of bookings, each of another slot. */
export async function bookingsOf({ service, token, serviceId }: ClinicNode, count: number): Promise<string[]> {
  const headers = { Authorization: `Bearer ${token}` }
  const get = async (path: string): Promise<unknown[]> => {
    const answer = await fetch(`http://${service.host}:${service.port}/api/v1${path}`, { headers })
    return ((await answer.json()) as { response: unknown[] }).response
  }
  const [customer] = (await get('/customers/get/')) as { id: string }[]
  const window = `min_timestamp=${now + day}&max_timestamp=${now + 120 * day}`
  const slots = (await get(`/availability/get/?${window}&services=${serviceId}`)) as AvailableSlot[]
  assert.ok(slots.length >= count, `${slots.length} slots are too few`)
  return slots
    .slice(0, count)
    .map(({ availabilityId, providerId, start, end }) =>
      JSON.stringify({ availabilityId, serviceId, providerId, start, end, customerId: customer?.id }),
    )
}

/**
 * Books over HTTP in rounds of `round` bookings; returns the microseconds of processor time per booking, of the service
 * and its database connections, by round. Before each round, `prepare` gets a connection of its own to the database and
 * the number of the round, from 0; the first `uncounted` bookings of a round are then not measured.
 */
export async function bookingCosts(
  { service, token }: ClinicNode,
  url: string,
  bodies: readonly string[],
  {
    round,
    uncounted = 0,
    prepare,
  }: {
    readonly round: number
    readonly uncounted?: number
    readonly prepare?: (client: pg.Client, number: number) => Promise<void>
  },
): Promise<number[]> {
  const clients = await LoadClients.open(service, 1)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const costs: number[] = []
  let next = 0
  const request = (): string => requestText('POST', '/reservations/add/', token, { body: bodies[next++] ?? '' })
  const book = async (minRequests: number): Promise<number> => {
    if (minRequests === 0) return 0
    const { answers, total } = await clients.sendRequests(request, { milliseconds: 0, minRequests })
    assert.deepEqual([...answers.keys()], [200])
    return total
  }
  while (next + uncounted + round <= bodies.length) {
    await prepare?.(client, costs.length)
    await book(uncounted)
    const { rows } = await client.query<{ pid: number }>(
      'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    const pids = rows.map(({ pid }) => pid)
    const [before, atDatabase] = [sum(await service.cpu()), backendTimes(pids)]
    const total = await book(round)
    costs.push(((sum(await service.cpu()) - before) * 1000 + backendTimeSince(atDatabase)) / total)
  }
  clients.close()
  await client.end()
  return costs
}

/** Returns the microseconds of processor time of each of these PostgreSQL processes that has not ended. */
export function backendTimes(pids: readonly number[]): Map<number, number> {
  const running = pids.filter((pid) => existsSync(`/proc/${pid}/schedstat`))
  return new Map(
    running.map((pid) => [pid, Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1000]),
  )
}

/**
 * Returns the CPU microseconds that the PostgreSQL processes of `before` have taken since. A process that has ended is
 * not counted, since its connection was idle.
 */
export function backendTimeSince(before: ReadonlyMap<number, number>): number {
  const after = backendTimes([...before.keys()])
  return [...after].reduce((all, [pid, time]) => all + time - (before.get(pid) ?? 0), 0)
}

function sum(times: ReadonlyMap<string, number>): number {
  return [...times.values()].reduce((all, time) => all + time, 0)
}
