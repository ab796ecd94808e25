import assert from 'node:assert/strict'
import { audit, type Findings, nothingWrong } from './audit.ts'
import { type DatabaseKind, freshDatabase } from './databases.ts'
import { roomBeside, type State, storedReservations } from './history.ts'
import { offerings, type Room, roomsOf, siteOf } from './offers.ts'
import { Clients, type Reply, type Write } from './race.ts'
import { type Service, startService } from './service.ts'
import { openSql, type Sql } from './sql.ts'

/** Monday 2026-10-05, 06:00 UTC. */
export const now = 1_791_180_000
/** Seconds of a day. */
export const day = 86_400

/** A slot as availability lists it. */
export interface Slot {
  readonly availabilityId: string
  readonly serviceId: string
  readonly providerId: number
  readonly start: number
  readonly end: number
}

/** The settings of a contended site and its service. */
export interface ArenaOptions {
  readonly clients: number
  /** Starts the service's clock at `now`; otherwise it is the machine's. */
  readonly fixedClock: boolean
  readonly horizonDays?: number
  /** The number of customers; as many as clients when absent. */
  readonly customers?: number
  /** How many nodes share the database; more than one on PostgreSQL only. */
  readonly nodes?: number
  /** The directory of SQLite's files, instead of a new one. */
  readonly dataDir?: string
  readonly env?: Readonly<Record<string, string>>
}

/** A site that many clients compete for, the service that runs it, and direct access to the database. */
export interface Arena {
  /** The URL of the PostgreSQL database; `undefined` on SQLite. */
  readonly databaseUrl: string | undefined
  /** The first node. */
  readonly service: Service
  /** All nodes; clients are assigned to them by number. */
  readonly nodes: readonly Service[]
  readonly clients: Clients
  readonly sql: Sql
  readonly rooms: readonly Room[]
  /** At least one customer for every client: the lock of a customer must not order what the provider's lock orders. */
  readonly customers: readonly string[]
  /** Returns the id of the service that was created for the offering with this key. */
  serviceId(key: string): string
  /** Lists the slots of one offering, optionally of one provider. */
  slots(key: string, asked: { from: number; until: number; provider?: number }): Promise<Slot[]>
  /** Returns the booking of the slot by a client, for the client's customer. */
  booking(client: number, slot: Slot, more?: object): Write
  close(): Promise<void>
}

/** Opens an arena on a fresh database. */
export async function openArena(kind: DatabaseKind, options: ArenaOptions): Promise<Arena> {
  const fresh = await freshDatabase(kind)
  const databaseUrl = 'databaseUrl' in fresh.at ? fresh.at.databaseUrl : undefined
  const place = {
    ...(databaseUrl !== undefined && { databaseUrl }),
    ...(options.fixedClock && { now }),
    ...(options.dataDir !== undefined && { dataDir: options.dataDir }),
    env: { DAYBOOK_LOG_LEVEL: 'error', ...options.env },
  }
  const people = options.customers ?? options.clients
  const began = performance.now()
  const service = await startService({ ...place, site: siteOf(people, options.horizonDays) })
  // An injected clock runs from the start of its node, so that later nodes start correspondingly later.
  const later = options.fixedClock ? { now: now + Math.round((performance.now() - began) / 1000) } : {}
  const others = Array.from({ length: (options.nodes ?? 1) - 1 }, () =>
    startService({ ...place, ...later, beside: service }),
  )
  const nodes = [service, ...(await Promise.all(others))]
  const clients = new Clients(nodes, options.clients)
  const sql = openSql({ dataDir: service.dataDir, ...(databaseUrl !== undefined && { databaseUrl }) })
  const ids = new Map((await listed(service, '/services/get/')).map((row) => [String(row.name), row.id]))
  const customers = (await listed(service, '/customers/get/')).map((row) => row.id)
  assert.equal(ids.size, offerings.length)
  assert.equal(customers.length, people)
  await clients.warm()
  return {
    databaseUrl,
    service,
    nodes,
    clients,
    sql,
    rooms: roomsOf(ids),
    customers,
    serviceId: (key) => ids.get(key) ?? '',
    slots: async (key, { from, until, provider }) => {
      const query = { min_timestamp: from, max_timestamp: until, services: ids.get(key) ?? '' }
      const asked = { query: provider === undefined ? query : { ...query, providers: provider } }
      const ask = () => service.call<{ response: Slot[] }>('GET', '/availability/get/', asked)
      let answer = await ask()
      while (answer.status === 503) answer = await ask()
      const { status, body } = answer
      assert.equal(status, 200)
      return body.response
    },
    booking: (client, { availabilityId, serviceId, providerId, start, end }, more = {}) => ({
      path: '/reservations/add/',
      body: { availabilityId, serviceId, providerId, start, end, customerId: customers[client] ?? '', ...more },
    }),
    close: async () => {
      clients.close()
      await Promise.all(nodes.map((node) => node.stop()))
      await sql.close()
      await fresh.remove()
    },
  }
}

async function listed(service: Service, path: string) {
  const { status, body } = await service.call('GET', path)
  assert.equal(status, 200)
  return body.response
}

/** The codes of refusals of a slot that other bookings have taken. */
export const noRoom: readonly string[] = ['slot_full', 'slot_provider_busy']

/**
 * Sends one booking per slot concurrently; returns the responses by slot, each a success or a refusal for lack of room.
 */
export async function contend(arena: Arena, wanted: readonly Slot[]): Promise<Reply[]> {
  const replies = await arena.clients.race(wanted.map((slot, client) => arena.booking(client, slot)))
  for (const reply of replies) assertAcceptedOrNoRoom(reply)
  return replies
}

/** Fails unless the write succeeded, or was refused for lack of room or for one of the given reasons. */
export function assertAcceptedOrNoRoom({ status, body }: Reply, reasons = noRoom): void {
  if (status === 200) return
  assert.equal(status, 403, JSON.stringify(body))
  assert.ok(reasons.includes(body.reason), JSON.stringify(body))
}

/** Counts the accepted writes. */
export function accepted(replies: readonly Reply[]): number {
  return replies.filter((reply) => reply.status === 200).length
}

/** Fails if the database is inconsistent, or a provider was booked twice at any time. */
export async function assertSound(arena: Pick<Arena, 'sql' | 'rooms'>): Promise<Findings> {
  const found = await audit(arena.sql, arena.rooms)
  assert.deepEqual(found, nothingWrong)
  return found
}

/** Fails if a slot was refused although no accepted booking takes its room. */
export async function assertNothingUnsold(arena: Arena, wanted: readonly Slot[], replies: readonly Reply[]) {
  const stored = [...(await storedReservations(arena.sql)).values()]
  wanted.forEach((slot, index) => {
    if (replies[index]?.status === 200) return
    const asked: State = { ...slot, id: '', customerId: '', status: 'confirmed' }
    assert.ok(!roomBeside(asked, stored, arena.rooms), `Unsold: ${JSON.stringify(slot)}`)
  })
}
