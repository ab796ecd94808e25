import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AvailabilityCache, type AvailabilityCacheOptions } from '../../src/availability/cache/availability-cache.ts'
import { type AvailabilityQuery, askedServices } from '../../src/availability/cache/question.ts'
import { loadPlan } from '../../src/availability/plan.sql.ts'
import { bucketSeconds, slotId } from '../../src/availability/slot-id.ts'
import { loadCatalogue } from '../../src/catalogue/catalogue.sql.ts'
import type { Context, Outcome } from '../../src/db/perform/app.ts'
import { slotKey } from '../../src/scheduling/plan/occupancy.ts'
import type { Slot } from '../../src/scheduling/plan/plan.ts'
import { openSlots } from '../../src/scheduling/slots.ts'
import { type OpenStorage, open } from '../../src/server/open.ts'
import { computedAnew, textOf } from '../support/computed-availability.ts'
import { contextWith, databasesHere, type FreshDatabase, freshDatabase } from '../support/databases.ts'
import type { operations } from '../support/pages-operations.ts'
import { everyDay, pagesSite, services } from '../support/pages-site.ts'
import { proved } from '../support/proof.ts'
import { scaled, seed, seededRandom, suiteTimeout } from '../support/scale.ts'

type Service = OpenStorage<typeof operations>

const answers = { sqlite: scaled(8_000), postgres: scaled(4_000) }
const answersAStep = 4
/**
 * Thursday 2026-10-22, 06:00 UTC: before the clocks of Berlin and New York go back, and after those of Lord Howe went
 * forward.
 */
const start = 1_792_648_800
const day = 86_400

for (const { kind, skip } of await databasesHere())
  test(`cached availability is what is computed anew, whatever happened before, on ${kind} (seed ${seed})`, {
    timeout: suiteTimeout,
    skip,
  }, async (t) => {
    const fresh = await freshDatabase(kind)
    const first = await openNode(fresh)
    // On PostgreSQL, a second node (service process) answers every other query and writes at the same time as the first
    // one; the cache of each must follow the commits of both.
    const nodes = kind === 'postgres' ? [first, await openNode(fresh)] : [first]
    const { service } = first
    try {
      await prepare(service)
      const walks = await Promise.all(nodes.map((node, number) => Walk.begin(node.service, { seed, number })))
      const [walk] = walks
      assert.ok(walk)
      const figures = { asked: 0, found: 0, slots: 0, tags: new Map<string, string>() }
      for (let count = 0; count < answers[kind]; count += 1) {
        const query: AvailabilityQuery = walk.question()
        const node = nodes[count % nodes.length]
        assert.ok(node)
        const { large, small, streaming } = node.caches
        const cache: AvailabilityCache = walk.oneIn(8) ? (walk.oneIn(2) ? small : streaming) : large
        // A query that runs concurrently with a write may return the state before or after the write, so its response
        // is not compared; later queries check what that query left in the caches.
        if (count % answersAStep === 0)
          await Promise.all([
            ...walks.map((one) => one.step()),
            ...nodes.map(({ caches }) => caches.large.list(walk.question())),
          ])
        await node.service.applied.caughtUp()
        const found = cache.find(query)
        const answer = found ?? (await cache.list(query))
        const expected = await computedAnew(service.db, query)
        const text = await textOf(answer)
        assert.equal(
          text,
          expected.text,
          `answer ${count}: ${JSON.stringify(query)} after ${walks.map(({ last }) => last).join(', ')}`,
        )
        if ('pieces' in answer || query.part) assert.equal(answer.total, expected.total)
        if ('pieces' in answer) {
          assert.equal(answer.size, Buffer.byteLength(text) - 2)
          if (answer.tag) {
            assert.equal(figures.tags.get(answer.tag) ?? text, text, 'Two answers with one tag differ.')
            if (figures.tags.size > 1_000) figures.tags.clear()
            figures.tags.set(answer.tag, text)
          }
        }
        figures.asked += 1
        figures.slots += expected.total
        if (found) figures.found += 1
      }
      const share = figures.found / figures.asked
      const written = walks.reduce((sum, one) => sum + one.written, 0)
      proved(t, `B7 ${kind}`, {
        nodes: nodes.length,
        answers: figures.asked,
        'slots compared': figures.slots,
        'cached percent': Math.round(share * 100),
        writes: written,
        refused: walks.reduce((sum, one) => sum + one.refused, 0),
        differences: 0,
      })
      assert.ok(share > 0.2, `Only ${Math.round(share * 100)} % of the answers were cached.`)
      assert.ok(written > (answers[kind] / answersAStep / 10) * walks.length)
    } finally {
      for (const node of nodes) await node.service.close()
      await fresh.remove()
    }
  })

interface Node {
  readonly service: Service
  readonly caches: Readonly<Record<'large' | 'small' | 'streaming', AvailabilityCache>>
}

async function openNode({ at }: FreshDatabase): Promise<Node> {
  const caches: AvailabilityCache[] = []
  const service: Service = await open({
    at,
    operations: new URL('../support/pages-operations.ts', import.meta.url),
    thread: 'databaseUrl' in at,
    onInvalidation: (changed) => {
      for (const cache of caches) cache.invalidate(changed)
    },
  })
  const cacheOf = (options: AvailabilityCacheOptions) => {
    const cache = new AvailabilityCache(service.db, { ...options, isFresh: () => service.applied.isFresh() })
    caches.push(cache)
    return cache
  }
  return {
    service,
    caches: {
      large: cacheOf({ maxBytes: 64 * 1024 * 1024 }),
      small: cacheOf({ maxBytes: 100_000 }),
      streaming: cacheOf({ maxBytes: 1024 * 1024, maxUnitsAtOnce: 0 }),
    },
  }
}

function moved(asked: AvailabilityQuery, by: number, now: number): AvailabilityQuery {
  return { ...asked, from: asked.from + by, until: asked.until + by, now }
}

/** Gives the site its content. */
async function prepare(service: Service): Promise<void> {
  const { siteUrl } = pagesSite.site
  for (const outcome of [
    await service.perform('site.prepare', { siteUrl }, contextWith({ now: start })),
    await service.perform('site.apply', pagesSite, contextWith({ now: start })),
  ])
    assert.ok('ok' in outcome, JSON.stringify(outcome))
}

/**
 * A random walk of writes that change availability (bookings, busy times, settings of services and providers), of moves
 * of the clock, and of queries.
 */
class Walk {
  readonly #service: Service
  readonly #chance: () => number
  readonly #number: number
  readonly #reservations: string[] = []
  readonly #blocks: string[] = []
  #serviceIds: readonly string[] = []
  #customerId = ''
  #asked: AvailabilityQuery | undefined
  #now = start
  #count = 0
  written = 0
  refused = 0
  last = 'nothing'

  private constructor(service: Service, { seed, number }: { readonly seed: number; readonly number: number }) {
    this.#service = service
    this.#number = number
    this.#chance = seededRandom(seed + number)
  }

  /** Begins a walk that writes through the given service; walks of one site have different numbers. */
  static async begin(service: Service, of: { readonly seed: number; readonly number: number }): Promise<Walk> {
    const walk = new Walk(service, of)
    walk.#serviceIds = (await loadCatalogue(service.db)).services.map(({ id }) => id)
    const row = await service.db.build.selectFrom('customer').select('id').executeTakeFirstOrThrow()
    walk.#customerId = row.id
    return walk
  }

  oneIn(count: number): boolean {
    return this.#below(count) === 0
  }

  /**
   * Draws a query: either the previous query moved by a day, or a new query with one of a few filters and a random
   * window, so that cached slots are used again.
   */
  question(): AvailabilityQuery {
    const asked =
      this.#asked && this.oneIn(4) ? moved(this.#asked, this.#one([day, -day]), this.#now) : this.#anyQuestion()
    this.#asked = asked
    return asked
  }

  #anyQuestion(): AvailabilityQuery {
    const filters = [{}, ...this.#serviceIds.map((id) => ({ serviceIds: [id] })), { providerIds: [1, 3] }]
    const filter = this.oneIn(3) ? this.#one(filters) : this.#one(filters.slice(3, 8))
    const from = this.#now + this.#one([0, 0, 0, -3600, this.#below(4 * day), -2 * day])
    const until = from + this.#one([0, 1800, this.#below(day), 2 * day, 30 * day])
    // One query in four covers three or seven whole UTC days, as a calendar view requests them.
    const whole = this.oneIn(4) && { from: from - (from % day), until: from - (from % day) + this.#one([3, 7]) * day }
    const narrow = this.oneIn(12) ? { providerIds: [1 + this.#below(3)] } : {}
    const part = this.oneIn(5) ? { part: { offset: this.#below(30), limit: 1 + this.#below(20) } } : {}
    return { ...filter, ...narrow, from, until, ...whole, now: this.#now, ...part }
  }

  /**
   * Moves the clock or performs a random write; does nothing in 40 of 100 cases, or when the write needs a slot or a
   * reservation and there is none.
   */
  async step(): Promise<void> {
    const kind = this.#below(100)
    if (kind < 40) return
    if (kind < 58) this.#move()
    else if (kind < 76) await this.#book()
    else if (kind < 88) await this.#change()
    else if (kind < 94) await this.#block()
    else if (kind < 97) await this.#hold()
    else await this.#edit()
  }

  #move(): void {
    this.last = 'a move of the clock'
    this.#now += this.#one([1, 1, 29, 60, 400, 900, 1800, 3600, -1, -70, this.#below(900), this.oneIn(6) ? day : 5])
  }

  async #book(): Promise<void> {
    this.last = 'a booking'
    const slot = await this.#slot()
    if (!slot) return
    const { serviceId, providerId, start, end } = slot
    const { secret } = await loadCatalogue(this.#service.db)
    const availabilityId = slotId(secret, slot, this.#now)
    const input = { serviceId, providerId, start, end, availabilityId, customerId: this.#customerId }
    const dryRun = this.oneIn(8)
    const outcome = await this.#write((context) =>
      this.#service.perform('reservations.add', input, { ...context, dryRun }),
    )
    if ('ok' in outcome && !dryRun) this.#reservations.push(outcome.ok.id)
  }

  /**
   * Returns a random listed slot of a random service in the next three days, computed without caches; undefined when
   * there is none. The slot may be full when the site lists full slots.
   */
  async #slot(): Promise<Slot | undefined> {
    const { db } = this.#service
    const asked = {
      serviceIds: [this.#one(this.#serviceIds)],
      from: this.#now,
      until: this.#now + 3 * day,
      now: this.#now,
    }
    const catalogue = await loadCatalogue(db)
    const services = askedServices(catalogue, asked)
    const plan = await loadPlan(db, { catalogue, services, ...asked, bucket: Math.floor(this.#now / bucketSeconds) })
    const slots = openSlots(plan, asked)
    return slots.starts.length > 0 ? slots.slotAt(this.#below(slots.starts.length)) : undefined
  }

  async #change(): Promise<void> {
    const at = this.#below(this.#reservations.length)
    const id = this.#reservations[at]
    if (id === undefined) return
    const kind = this.#below(6)
    this.last = `change ${kind} of a reservation`
    if (kind === 0) {
      await this.#write((context) => this.#service.perform('reservations.remove', { id }, context))
      this.#reservations.splice(at, 1)
      return
    }
    const slot = kind < 4 ? undefined : await this.#slot()
    const change = slot
      ? { serviceId: slot.serviceId, providerId: slot.providerId, start: slot.start, end: slot.end }
      : { status: this.#one(['cancelled', 'cancelled', 'confirmed', 'pending'] as const) }
    await this.#write((context) => this.#service.perform('reservations.edit', { id, ...change }, context))
  }

  async #block(): Promise<void> {
    this.last = 'a calendar'
    const id = this.#one(this.#blocks)
    if (id !== undefined && this.oneIn(2)) {
      const later = this.#one([0, 1800, -3600, 2 * day])
      await this.#write((context) => this.#service.perform('unblock', { id, later }, context))
      return
    }
    const start = this.#now + this.#below(4 * day) - day
    const made = { id: `b${this.#next()}`, start, end: start + this.#one([600, 3600, 9000, 2 * day]) }
    this.#blocks.push(made.id)
    await this.#write((context) => this.#service.perform('block', { ...made, providerId: 1 + this.#below(3) }, context))
  }

  async #hold(): Promise<void> {
    this.last = 'a hold'
    const slot = await this.#slot()
    if (!slot) return
    const { serviceId, providerId, start, end } = slot
    const expiresAt = this.#now + this.#one([30, 600, 1800])
    const named = { id: `h${this.#next()}`, slot: slotKey(serviceId, start, end), seat: 40 + this.#below(1000) }
    await this.#write((context) =>
      this.#service.perform('hold', { ...named, providerId, start, end, expiresAt }, context),
    )
  }

  async #edit(): Promise<void> {
    const kind = this.#below(5)
    this.last = `edit ${kind}`
    const providerId = 1 + this.#below(3)
    const serviceId = this.#one(this.#serviceIds)
    const { key, name } = this.#one(services)
    await this.#write<object>((context) => {
      switch (kind) {
        case 0: {
          const settings = {
            leadTimeMinutes: this.#one([0, 30, 400]),
            capacity: this.#one([1, 2]),
            active: !this.oneIn(9),
          }
          return this.#service.perform('site.apply', { services: [{ key, name, ...settings }] }, context)
        }
        case 1: {
          const settings = this.#one([
            { horizonDays: 2 },
            { leadTimeMinutes: null },
            { priority: 3 },
            { durationMinutes: 75 },
          ])
          return this.#service.perform('providers.edit.service', { providerId, serviceId, settings }, context)
        }
        case 2: {
          const restriction = {
            restrictServices: this.oneIn(3),
            allowedServices: this.#serviceIds.slice(this.#below(6)),
          }
          return this.#service.perform('providers.edit', { id: providerId, ...restriction }, context)
        }
        case 3: {
          const slot = { note: 'Höher', price: 5 }
          const date = new Date((this.#now + day) * 1000).toISOString().slice(0, 10)
          const weekly = this.#one([everyDay('09:00-17:00'), everyDay('10:00-12:00', '22:00-02:00')])
          const provider = { id: providerId, name: 'Changed', weekly, overrides: [{ date, slot }] }
          return this.#service.perform('site.apply', { providers: [provider] }, context)
        }
        default: {
          const policies = { listFullSlots: this.oneIn(2) }
          return this.#service.perform('site.apply', { site: { ...pagesSite.site, policies } }, context)
        }
      }
    })
  }

  async #write<Result extends object>(
    perform: (context: Context) => Promise<Outcome<Result>>,
  ): Promise<Outcome<Result>> {
    const outcome = await perform(contextWith({ now: this.#now }))
    if ('ok' in outcome) this.written += 1
    else {
      this.refused += 1
      assert.ok('refused' in outcome || /UNIQUE|occupancy/.test(outcome.message), JSON.stringify(outcome))
    }
    return outcome
  }

  /** Returns a text that no walk has used for an id. */
  #next(): string {
    this.#count += 1
    return `${this.#number}.${this.#count}`
  }

  #below(count: number): number {
    return Math.floor(this.#chance() * count)
  }

  #one<Item>(items: readonly Item[]): Item {
    return items[this.#below(items.length)] as Item
  }
}
