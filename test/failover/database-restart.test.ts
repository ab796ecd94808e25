import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import {
  assertAcceptedOrNoRoom,
  assertConsistent,
  type ContendedSite,
  type ContendedSlot,
  day,
  openContendedSite,
} from '../support/contended-site.ts'
import { pause } from '../support/pause.ts'
import { administer, hasPostgres, type OwnPostgresServer, startPostgres } from '../support/postgres.ts'
import { proved } from '../support/proof.ts'
import { scale, scaled, suiteTimeout, timeLimitFactor } from '../support/scale.ts'
import type { AnyBody, ApiResponse, ServiceProcess } from '../support/service.ts'

const rounds = scaled(1)
const nodeCount = 3
const clients = 12
// With a pool of three connections, a node performs one write at a time and reserves two connections for reads.
const poolSize = 3
/** How many bookings each node accepts between two faults. */
const bookingsBetween = 3
/** The milliseconds from the end of a fault until every node has accepted a booking again. */
const bookedAgainWithin = 5_000 * timeLimitFactor
/** The milliseconds after which a write is refused while all connections for writes are in use. */
const refusedWithin = (scale > 1 ? 1_000 : 5_000) * timeLimitFactor

const skip = hasPostgres() ? false : 'PostgreSQL is not installed'

describe('three nodes whose database fails', { skip, timeout: suiteTimeout }, () => {
  let server: OwnPostgresServer
  let site: ContendedSite
  /** How many bookings were stored without the node receiving an answer of the database. */
  let unanswered = 0
  before(async () => {
    const started = await startPostgres()
    assert.ok(started)
    server = started
    // Otherwise a server that stops immediately loses its last commits.
    await administer(server, 'alter role daybook set synchronous_commit = on')
    process.env.DAYBOOK_TEST_POSTGRES_URL = server.url
    delete process.env.DAYBOOK_TEST_TEMPLATE
    delete process.env.DAYBOOK_TEST_POOLER_PORT
    site = await openContendedSite('postgres', {
      clients,
      fixedClock: false,
      horizonDays: 3_660,
      nodes: nodeCount,
      env: { DAYBOOK_DATABASE_POOL: String(poolSize) },
    })
  })
  after(async () => {
    await site?.close()
    await server?.stop()
  })

  test(`go on, and double nothing, in ${rounds} rounds of five faults`, async (t) => {
    const load = await Load.start(site)
    t.after(() => load.stop())
    const faults = [
      ['ended connections', () => endConnections(load)],
      ['ended commits', () => endCommits(load)],
      ['fast restart', () => restart(load, 'fast')],
      ['immediate restart', () => restart(load, 'immediate')],
      ['exhausted pool', () => exhaustPools(load)],
    ] as const
    const worst = new Map<string, number>()
    const note = (name: string, value: number) => worst.set(name, Math.max(worst.get(name) ?? 0, Math.round(value)))
    for (let round = 0; round < rounds; round += 1)
      for (const [fault, cause] of faults) {
        await load.bookedOnEachNode(bookingsBetween)
        const refusedAfter = await cause()
        const since = performance.now()
        await load.bookedOnEachNode(1)
        const waited = performance.now() - since
        note(`worst ms until booked after ${fault}`, waited)
        if (refusedAfter !== undefined) note('worst ms until refused without a connection', refusedAfter)
        assert.ok(waited < bookedAgainWithin, `booked again ${waited} ms after: ${fault}`)
      }
    const bookings = await load.stop()
    assert.ok(load.replayed >= unanswered, `${load.replayed} of ${unanswered} bookings were answered as stored`)
    await assertStoredOnce(bookings)
    await assertConsistent(site)
    const codes = await Promise.all(site.nodes.map((node) => node.stop()))
    assert.deepEqual(
      codes,
      site.nodes.map(() => 0),
      'a node ended before it was stopped',
    )
    proved(t, 'P1 postgres', {
      faults: rounds * faults.length,
      bookings: bookings.filter(({ id }) => id !== undefined).length,
      'refused for lack of room': bookings.filter(({ id }) => id === undefined).length,
      'answers 503': load.unavailable.length,
      'stored without an answer': unanswered,
      doubled: 0,
      lost: 0,
      ...Object.fromEntries(worst),
    })
  })

  /** Ends all sessions of the database, again and again until a write of each node was in one of them. */
  async function endConnections(load: Load): Promise<undefined> {
    const refused = load.unavailableOnEachNode()
    for (let done = false; !done; ) {
      await administer(server, terminate())
      done = await Promise.race([refused.then(() => true), pause().then(() => false)])
    }
  }

  /**
   * Ends sessions in which a booking waits, after its commit, for a synchronous standby that does not exist: the booking
   * is stored, and the node receives no answer. Adds the number of these bookings to `unanswered`.
   */
  async function endCommits(load: Load): Promise<undefined> {
    const waiting = (lock: string) =>
      sessions(`wait_event = 'SyncRep' and exists (select from pg_locks where pid = activity.pid and ${lock})`)
    // The commits that wait may be those of refusals only, or of repeated bookings.
    for (let stored = 0; stored === 0; unanswered += stored) {
      await load.bookedOnEachNode(1)
      await administer(server, "alter system set synchronous_standby_names = 'none_such'", 'select pg_reload_conf()')
      while ((await waiting("relation = 'idempotency'::regclass")) === 0) await pause()
      stored = await waiting("relation = 'reservation'::regclass and mode = 'RowExclusiveLock'")
      await administer(server, 'alter system reset synchronous_standby_names', terminate(), 'select pg_reload_conf()')
    }
  }

  /**
   * Returns the statement that ends all sessions and waits for their end. On a busy machine, a commit whose session was
   * only told to end could still be answered once it no longer has to wait for a standby.
   */
  function terminate(): string {
    const name = new URL(site.databaseUrl ?? '').pathname.slice(1)
    return `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${name}'`
  }

  /** Stops the server until every node has refused a booking, and starts it again. */
  async function restart(load: Load, mode: 'fast' | 'immediate'): Promise<undefined> {
    await server.shutDown(mode)
    await load.unavailableOnEachNode()
    await server.start()
  }

  /**
   * Blocks the writes that hold the connections of each node; returns the milliseconds until every node has refused a
   * further write. Reads are answered meanwhile.
   */
  async function exhaustPools(load: Load): Promise<number> {
    const gate = new pg.Client(site.databaseUrl)
    await gate.connect()
    try {
      await gate.query('begin; lock table event in access exclusive mode')
      while ((await sessions("wait_event_type = 'Lock'")) < nodeCount * (poolSize - 2)) await pause()
      const waits = await Promise.all(
        site.nodes.map(async (node, client) => {
          const since = performance.now()
          const { path, body } = site.booking(client, await load.nextSlot())
          const answer = await node.call('POST', path, { body })
          load.assertUnavailable(answer)
          return performance.now() - since
        }),
      )
      const read = await Promise.all(site.nodes.map((node) => node.call('GET', '/customers/get/')))
      for (const { status, text } of read) assert.equal(status, 200, text)
      const longest = Math.max(...waits)
      assert.ok(longest < refusedWithin, `refused after ${longest} ms`)
      return longest
    } finally {
      await gate.end()
    }
  }

  /** Returns the number of sessions of the database for which a condition on `pg_stat_activity` is true. */
  async function sessions(condition: string): Promise<number> {
    const [row] = await site.sql(
      `select count(*) as n from pg_stat_activity as activity where datname = current_database() and ${condition}`,
    )
    return Number(row?.n)
  }

  /** Fails unless each accepted booking is stored exactly once, and each refused one is not. */
  async function assertStoredOnce(bookings: readonly Booking[]): Promise<void> {
    const rows = await site.sql("select id, data::json ->> 'mark' as mark from reservation order by mark")
    const acknowledged = bookings.flatMap(({ id, key }) => (id === undefined ? [] : [{ id, mark: key }]))
    assert.deepEqual(
      rows,
      acknowledged.toSorted((a, b) => (a.mark < b.mark ? -1 : 1)),
    )
  }
})

/** A booking that was answered; `id` is that of the reservation, or undefined if the slot was taken. */
interface Booking {
  readonly key: string
  readonly id: string | undefined
}

/** Clients that book without pause; each repeats a booking, with its key, until the answer is not 503. */
class Load {
  readonly #site: ContendedSite
  readonly #bookings: Booking[] = []
  /** The number of accepted bookings of each node. */
  readonly #accepted: number[]
  /** The numbers of the nodes that answered 503, in the order of the answers. */
  readonly unavailable: number[] = []
  /** How many bookings were answered with the stored response to an earlier attempt. */
  replayed = 0
  readonly #slots: ContendedSlot[] = []
  #listing: Promise<void> | undefined
  #days = 2
  #stopping = false
  #clients: Promise<unknown> = Promise.resolve()

  private constructor(site: ContendedSite) {
    this.#site = site
    this.#accepted = site.nodes.map(() => 0)
  }

  static async start(site: ContendedSite): Promise<Load> {
    const load = new Load(site)
    await load.#list()
    load.#clients = Promise.all(site.clients.numbers.map((client) => load.#run(client)))
    // `stop` reports a failure; until then it must not be an unhandled rejection.
    load.#clients.catch(() => {})
    return load
  }

  /** Stops the clients and returns all bookings that were answered; fails when a client has failed. */
  async stop(): Promise<readonly Booking[]> {
    this.#stopping = true
    await this.#clients
    return this.#bookings
  }

  /** Resolves when each node has accepted `count` bookings since the call. */
  bookedOnEachNode(count: number): Promise<void> {
    const targets = this.#accepted.map((accepted) => accepted + count)
    return this.#until(() => this.#accepted.every((accepted, node) => accepted >= (targets[node] ?? 0)))
  }

  /** Resolves when each node has answered 503 since the call. */
  unavailableOnEachNode(): Promise<void> {
    const from = this.unavailable.length
    return this.#until(() => new Set(this.unavailable.slice(from)).size === this.#site.nodes.length)
  }

  /** Fails unless the answer is a 503 that says when to repeat the request. */
  assertUnavailable({ status, headers, text }: ApiResponse<AnyBody>): void {
    assert.equal(status, 503, text)
    assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  }

  /** Returns a slot; each is returned twice, so that two clients compete for it. */
  async nextSlot(): Promise<ContendedSlot> {
    for (;;) {
      const slot = this.#slots.shift()
      if (slot) return slot
      this.#listing ??= this.#list().finally(() => {
        this.#listing = undefined
      })
      await this.#listing
    }
  }

  async #list(): Promise<void> {
    const days = 20
    const from = (Math.floor(Date.now() / 1000 / day) + this.#days) * day
    this.#days += days
    const slots = await this.#site.slots('single', { from, until: from + days * day })
    this.#slots.push(...slots.flatMap((slot) => [slot, slot]))
  }

  async #run(client: number): Promise<void> {
    const number = client % this.#site.nodes.length
    const node = this.#site.nodes[number]
    assert.ok(node)
    for (let n = 0; !this.#stopping; n += 1) {
      const key = `${client}-${n}`
      const { path, body } = this.#site.booking(client, await this.nextSlot(), { data: { mark: key } })
      const answer = await this.#answer(number, node, { path, body, key })
      assertAcceptedOrNoRoom({ ...answer, replayed: false })
      if (answer.status === 200) this.#accepted[number] = (this.#accepted[number] ?? 0) + 1
      this.#bookings.push({ key, id: answer.status === 200 ? answer.body.id : undefined })
    }
  }

  /** Sends a write until its answer is neither 503 nor says that an earlier attempt is still in progress. */
  async #answer(
    number: number,
    node: ServiceProcess,
    { path, body, key }: { readonly path: string; readonly body: object | undefined; readonly key: string },
  ): Promise<ApiResponse<AnyBody>> {
    for (;;) {
      const answer = await node.call('POST', path, { body, headers: { 'Idempotency-Key': key } })
      if (answer.status === 503) {
        this.assertUnavailable(answer)
        this.unavailable.push(number)
      } else if (answer.body.reason !== 'idempotency_in_progress') {
        if (answer.headers.get('idempotency-replayed') === 'true') this.replayed += 1
        return answer
      }
      await pause()
    }
  }

  /** Resolves when the condition is true; fails when a client has failed before. */
  async #until(condition: () => boolean): Promise<void> {
    const failed = this.#clients.then(() => assert.ok(condition(), 'the clients have stopped'))
    failed.catch(() => {})
    while (!condition()) await Promise.race([pause(), failed])
  }
}
