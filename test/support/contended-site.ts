import assert from 'node:assert/strict'
import { audit, type Findings, noFindings } from './audit.ts'
import { type ClientWrite, ConcurrentClients, type WriteResponse } from './concurrent-clients.ts'
import { type DatabaseKind, freshDatabase } from './databases.ts'
import { isFreeBeside, type ReplayedReservation, storedReservations } from './log-replay.ts'
import { contendedSiteFile, type OccupancyRule, occupancyRulesOf, offerings } from './offerings.ts'
import { scale } from './scale.ts'
import { type ServiceProcess, startService } from './service.ts'
import { openSql, type Sql } from './sql.ts'
import { whenServed } from './when-served.ts'

/**
 * The initial time of the clock of the first service process with the option `fixedClock`: Monday 2026-10-05, 06:00
 * UTC, in Unix seconds.
 */
export const now = 1_791_180_000
/** The length of a day in seconds. */
export const day = 86_400

/** A bookable slot as `GET /availability/get/` lists it; times in Unix seconds. */
export interface ContendedSlot {
  readonly availabilityId: string
  readonly serviceId: string
  readonly providerId: number
  readonly start: number
  readonly end: number
}

/** The options of `openContendedSite`: number of clients, clock, database and environment of the service. */
export interface ContendedSiteOptions {
  readonly clients: number
  /** Whether the service's clock starts at `now`; otherwise the service uses the clock of the machine. */
  readonly fixedClock: boolean
  readonly horizonDays?: number
  /** The number of customers; as many as clients when absent. */
  readonly customers?: number
  /** The number of service processes that share the database; more than 1 on PostgreSQL only. 1 when absent. */
  readonly nodes?: number
  /** The directory of the SQLite files; when absent, a new temporary directory. */
  readonly dataDir?: string
  readonly env?: Readonly<Record<string, string>>
}

/**
 * A site whose slots many clients book concurrently, the service processes that run it, and direct access to the
 * database.
 */
export interface ContendedSite {
  /** The URL of the PostgreSQL database; `undefined` on SQLite. */
  readonly databaseUrl: string | undefined
  /** The first of the service processes. */
  readonly service: ServiceProcess
  /** All service processes; client n uses process n modulo the number of processes. */
  readonly nodes: readonly ServiceProcess[]
  readonly clients: ConcurrentClients
  readonly sql: Sql
  readonly occupancyRules: readonly OccupancyRule[]
  /**
   * The ids of the customers, one per client unless the option `customers` is given: if clients shared a customer, the
   * customer's lock would serialise bookings whose order only the provider's lock should decide.
   */
  readonly customers: readonly string[]
  /** Returns the id of the service that was created from the entry of `offerings` with this key. */
  serviceId(key: string): string
  /**
   * Lists the slots of the service with this key (see `offerings`) between two Unix times, optionally of one provider.
   */
  slots(key: string, asked: { from: number; until: number; provider?: number }): Promise<ContendedSlot[]>
  /** Returns the request with which a client books the slot for the customer with the client's number. */
  booking(client: number, slot: ContendedSlot, more?: object): ClientWrite
  close(): Promise<void>
}

/**
 * Returns the number of nodes (service processes) on which a promise about several nodes is tested: three on PostgreSQL
 * in a proof at full size, otherwise one, because each node takes a second or more to start.
 */
export function nodesOf(kind: DatabaseKind): number {
  return kind === 'postgres' && scale > 1 ? 3 : 1
}

/** Starts a service on a fresh database with the contended site, whose slots many clients book concurrently. */
export async function openContendedSite(kind: DatabaseKind, options: ContendedSiteOptions): Promise<ContendedSite> {
  const fresh = await freshDatabase(kind)
  const databaseUrl = 'databaseUrl' in fresh.at ? fresh.at.databaseUrl : undefined
  const place = {
    ...(databaseUrl !== undefined && { databaseUrl }),
    ...(options.fixedClock && { now }),
    ...(options.dataDir !== undefined && { dataDir: options.dataDir }),
    // The limit of connections per address is raised, because all clients connect from one address and each may open a
    // second connection to list slots.
    env: { DAYBOOK_LOG_LEVEL: 'error', DAYBOOK_MAX_CONNECTIONS: '2048', ...options.env },
  }
  const people = options.customers ?? options.clients
  const began = performance.now()
  const service = await startService({ ...place, site: contendedSiteFile(people, options.horizonDays) })
  // The clock of each node (service process) runs from the initial time on, so nodes that start later get an initial
  // time that is later by the seconds since the first node was started.
  const later = options.fixedClock ? { now: now + Math.round((performance.now() - began) / 1000) } : {}
  const others = Array.from({ length: (options.nodes ?? 1) - 1 }, () =>
    startService({ ...place, ...later, beside: service }),
  )
  const nodes = [service, ...(await Promise.all(others))]
  const clients = new ConcurrentClients(nodes, options.clients)
  const sql = openSql({ dataDir: service.dataDir, ...(databaseUrl !== undefined && { databaseUrl }) })
  const ids = new Map((await listed(service, '/services/get/')).map((row) => [String(row.name), row.id]))
  const customers = (await listed(service, '/customers/get/')).map((row) => row.id)
  assert.equal(ids.size, offerings.length)
  assert.equal(customers.length, people)
  await clients.connect()
  return {
    databaseUrl,
    service,
    nodes,
    clients,
    sql,
    occupancyRules: occupancyRulesOf(ids),
    customers,
    serviceId: (key) => ids.get(key) ?? '',
    slots: async (key, { from, until, provider }) => {
      const query = { min_timestamp: from, max_timestamp: until, services: ids.get(key) ?? '' }
      const asked = { query: provider === undefined ? query : { ...query, providers: provider } }
      const { status, body } = await whenServed(() =>
        service.call<{ response: ContendedSlot[] }>('GET', '/availability/get/', asked),
      )
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

/**
 * Returns the start of the first day in UTC whose slots can be booked for a whole day from now, by the clock of the
 * machine. It is the day after tomorrow, because the site is open day and night: a slot of tomorrow could begin before
 * it is booked.
 */
export function firstBookableDay(): number {
  return (Math.floor(Date.now() / 1000 / day) + 2) * day
}

async function listed(service: ServiceProcess, path: string) {
  const { status, body } = await service.call('GET', path)
  assert.equal(status, 200)
  return body.response
}

/** The codes of refusals of a slot that other bookings have taken. */
export const noRoom: readonly string[] = ['slot_full', 'slot_provider_busy']

/**
 * Sends one booking per slot concurrently. Returns the responses in the order of the slots; fails if one is neither a
 * success nor a refusal for lack of room.
 */
export async function bookConcurrently(
  site: ContendedSite,
  wanted: readonly ContendedSlot[],
): Promise<WriteResponse[]> {
  const replies = await site.clients.sendConcurrently(wanted.map((slot, client) => site.booking(client, slot)))
  for (const reply of replies) assertAcceptedOrNoRoom(reply)
  return replies
}

/** Fails unless the response is a success, or a refusal with one of the codes in `reasons`. */
export function assertAcceptedOrNoRoom({ status, body }: WriteResponse, reasons = noRoom): void {
  if (status === 200) return
  assert.equal(status, 403, JSON.stringify(body))
  assert.ok(reasons.includes(body.reason), JSON.stringify(body))
}

/** Returns the number of responses with status 200. */
export function accepted(replies: readonly WriteResponse[]): number {
  return replies.filter((reply) => reply.status === 200).length
}

/**
 * Fails if `audit` finds an inconsistency in the database, such as a provider who is booked twice for the same time.
 */
export async function assertConsistent(site: Pick<ContendedSite, 'sql' | 'occupancyRules'>): Promise<Findings> {
  const found = await audit(site.sql, site.occupancyRules)
  assert.deepEqual(found, noFindings)
  return found
}

/** Fails if a booking was refused although the stored reservations leave room for its slot. */
export async function assertRefusedOnlyWhenFull(
  site: ContendedSite,
  wanted: readonly ContendedSlot[],
  replies: readonly WriteResponse[],
) {
  const stored = [...(await storedReservations(site.sql)).values()]
  wanted.forEach((slot, index) => {
    if (replies[index]?.status === 200) return
    const asked: ReplayedReservation = { ...slot, id: '', customerId: '', status: 'confirmed' }
    assert.ok(!isFreeBeside(asked, stored, site.occupancyRules), `Unsold: ${JSON.stringify(slot)}`)
  })
}
