import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { proved } from '../support/proof.ts'
import { scale, suiteTimeout } from '../support/scale.ts'
import { type AvailableSlot, present } from '../support/test-site.ts'
import { balancer, Cluster, eventually, mayCreateNetworks, missingPrograms, type NodeNumber } from './cluster.ts'

const clients = 50
const providers = 60
const day = 86_400
// The maximum time in seconds without an acknowledged booking after a fault: the 20 to 30 seconds that the guide to
// failover expects, with a margin.
const maxSeconds = 45

/** The id of an acknowledged reservation, and when its response arrived, in milliseconds of `performance.now()`. */
interface Acknowledged {
  readonly id: string
  readonly at: number
}

describe('a cluster with failover', { skip: unable(), timeout: suiteTimeout }, () => {
  let cluster: Cluster
  let token: string
  before(async () => {
    cluster = new Cluster()
    await cluster.start()
    token = cluster.daybook('token', 'create', '--name', 'test', '--scope', 'write').trim()
    cluster.apply(site)
  })
  after(() => cluster?.stop())

  test(`${clients} clients book while a machine, the primary and the network of the primary fail`, async (t) => {
    const slots = await listSlots(token)
    assert.ok(slots.length > 5_000, String(slots.length))
    const customerId = await addCustomer(token)
    // Each slot is in the list twice, so that two clients try to book it and a failover could cause a double booking.
    const wanted = slots.flatMap((slot) => [slot, slot])
    const load = new Load({ token, customerId, wanted })
    const figures: Record<string, number> = {}
    try {
      await load.next(50)
      const phases: readonly [string, () => Promise<void>][] = [
        ['standby killed', async () => restarted(cluster, await cluster.find('sync_standby'), load)],
        ['primary killed', async () => restarted(cluster, await cluster.find('leader'), load)],
        ['primary cut off', async () => healed(cluster, await cluster.find('leader'), load)],
      ]
      for (const [name, fault] of phases) {
        const since = performance.now()
        await fault()
        await load.next(50)
        const seconds = Math.round(load.longestGap(since) / 100) / 10
        assert.ok(seconds < maxSeconds, `${name}: no booking was acknowledged for ${seconds} s`)
        figures[`worst seconds after ${name}`] = seconds
      }
    } catch (error) {
      t.diagnostic(cluster.logs())
      throw error
    } finally {
      await load.stop()
    }
    const { lost, unknown, doubled } = await compare(cluster, load.acknowledged)
    assert.equal(cluster.failed, 0, 'a service ended by itself')
    if (load.unexpected.length > 0) t.diagnostic(cluster.logs())
    assert.deepEqual(load.unexpected, [])
    assert.deepEqual({ lost, unknown, doubled }, { lost: 0, unknown: 0, doubled: 0 })
    proved(t, 'F1', { bookings: load.acknowledged.length, refusals: load.refusals, lost, doubled, ...figures })
  })
})

async function restarted(cluster: Cluster, node: NodeNumber, load: Load): Promise<void> {
  cluster.crash(node)
  await load.next(50)
  cluster.boot(node)
  await eventually('the machine to be back', () => cluster.isWhole())
}

async function healed(cluster: Cluster, node: NodeNumber, load: Load): Promise<void> {
  cluster.partition(node)
  await eventually('another primary', async () => (await cluster.find('leader')) !== node)
  await load.next(50)
  cluster.heal(node)
  await eventually('the old primary to follow the new one', () => cluster.isWhole())
}

/**
 * Clients that book one slot after the other; each repeats a request with the same idempotency key until the outcome is
 * known.
 */
class Load {
  readonly acknowledged: Acknowledged[] = []
  readonly unexpected: string[] = []
  refusals = 0
  readonly #token: string
  readonly #customerId: string
  readonly #wanted: AvailableSlot[]
  readonly #clients: Promise<unknown>
  #stopping = false

  constructor(parts: { readonly token: string; readonly customerId: string; readonly wanted: AvailableSlot[] }) {
    this.#token = parts.token
    this.#customerId = parts.customerId
    this.#wanted = parts.wanted
    this.#clients = Promise.all(Array.from({ length: clients }, () => this.#book()))
  }

  /** Resolves when `count` more bookings have been acknowledged. */
  async next(count: number): Promise<void> {
    const target = this.acknowledged.length + count
    await eventually(`${count} bookings`, async () => this.acknowledged.length >= target)
  }

  /** Returns the longest time without an acknowledged booking since an instant, in milliseconds. */
  longestGap(since: number): number {
    const times = [since, ...this.acknowledged.map(({ at }) => at).filter((at) => at >= since), performance.now()]
    return Math.max(...times.slice(1).map((at, n) => at - (times[n] ?? at)))
  }

  async stop(): Promise<void> {
    this.#stopping = true
    await this.#clients
  }

  async #book(): Promise<void> {
    while (!this.#stopping) {
      const slot = this.#wanted.shift()
      assert.ok(slot, 'all slots are booked')
      const key = randomUUID()
      while (!(await this.#isSettled(slot, key))) await pause(250)
      // Each client pauses 400 ms after a booking, as a person does.
      await pause(400)
    }
  }

  async #isSettled(slot: AvailableSlot, key: string): Promise<boolean> {
    const { availabilityId, serviceId, providerId, start, end } = slot
    const body = { availabilityId, serviceId, providerId, start, end, customerId: this.#customerId }
    const headers = {
      Authorization: `Bearer ${this.#token}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': key,
    }
    try {
      const signal = AbortSignal.timeout(10_000)
      const sent = { method: 'POST', headers, body: JSON.stringify(body), signal }
      const answer = await fetch(`${balancer}/api/v1/reservations/add/`, sent)
      const text = await answer.text()
      if (answer.status === 200) {
        this.acknowledged.push({ id: JSON.parse(text).id, at: performance.now() })
        return true
      }
      if (answer.status === 403) return true
      // With `idempotency_in_progress`, the first attempt may still wait for a lost database. The client then repeats
      // the write later, as the documentation of the API says.
      const isTemporary = [502, 503, 504].includes(answer.status) || text.includes('"idempotency_in_progress"')
      if (!isTemporary) this.unexpected.push(`${answer.status} ${text}`)
    } catch {
      // The connection was lost, or there was no answer in time.
    }
    this.refusals += 1
    return false
  }
}

/**
 * Returns how many acknowledged bookings are missing in the database (`lost`), how many stored bookings were not
 * acknowledged (`unknown`), and how many bookings are for a slot that another booking already has (`doubled`).
 */
async function compare(
  cluster: Cluster,
  acknowledged: readonly Acknowledged[],
): Promise<{ lost: number; unknown: number; doubled: number }> {
  const client = await connected(cluster)
  const { rows } = await client.query<{ id: string; place: string }>(
    "select id, provider_id || ' ' || start_at as place from reservation where status = 'confirmed'",
  )
  await client.end()
  const stored = new Set(rows.map(({ id }) => id))
  const told = new Set(acknowledged.map(({ id }) => id))
  return {
    lost: [...told].filter((id) => !stored.has(id)).length,
    unknown: [...stored].filter((id) => !told.has(id)).length,
    doubled: rows.length - new Set(rows.map(({ place }) => place)).size,
  }
}

/** Connects to the primary, once there is a server that is not in recovery. */
async function connected(cluster: Cluster): Promise<pg.Client> {
  let client: pg.Client | undefined
  await eventually('a connection to the primary', async () => {
    const tried = new pg.Client({ connectionString: await cluster.databaseUrl() })
    tried.on('error', () => {})
    await tried.connect()
    const { rows } = await tried.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
    if (rows[0]?.standby) await tried.end()
    else client = tried
    return client !== undefined
  })
  return present(client)
}

const site = {
  site: { name: 'Cluster', timezone: 'Europe/Berlin' },
  services: [{ key: 'visit', name: 'Visit', durationMinutes: 30 }],
  providers: Array.from({ length: providers }, (_, n) => ({
    id: n + 1,
    name: `Provider ${n + 1}`,
    timezone: 'Europe/Berlin',
    weekly: Object.fromEntries(
      ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((name) => [name, ['08:00-18:00']]),
    ),
  })),
}

async function listSlots(token: string): Promise<AvailableSlot[]> {
  const now = Math.floor(Date.now() / 1000)
  const query = new URLSearchParams({ min_timestamp: String(now + day), max_timestamp: String(now + 8 * day) })
  const headers = { Authorization: `Bearer ${token}` }
  const answer = await fetch(`${balancer}/api/v1/availability/get/?${query}`, { headers })
  assert.equal(answer.status, 200)
  const { response } = (await answer.json()) as { response: AvailableSlot[] }
  return response
}

async function addCustomer(token: string): Promise<string> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ name: 'Ann', email: 'ann@clinic.example' })
  const answer = await fetch(`${balancer}/api/v1/customers/add/`, { method: 'POST', headers, body })
  assert.ok(answer.ok, String(answer.status))
  const { id } = (await answer.json()) as { id: string }
  return id
}

function unable(): string | false {
  if (scale <= 1) return 'only in a full run: three machines take minutes to fail and recover'
  if (process.getuid?.() !== 0) return 'needs root'
  const missing = missingPrograms()
  if (missing.length > 0) return `needs Debian's ${missing.join(', ')}`
  return mayCreateNetworks() ? false : 'needs network namespaces'
}
