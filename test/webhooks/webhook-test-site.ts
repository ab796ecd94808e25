import assert from 'node:assert/strict'
import type { Outcome } from '../../src/db/perform/app.ts'
import { encrypt, type KeyRing } from '../../src/encryption.ts'
import { parseNetworks } from '../../src/http/outbound/address.ts'
import { OutboundClient } from '../../src/http/outbound/outbound-client.ts'
import { newId } from '../../src/ids.ts'
import { relayEvents } from '../../src/jobs/event-relay.ts'
import type { JobHandler } from '../../src/jobs/job.ts'
import { JobRunner } from '../../src/jobs/runner.ts'
import type { Operations, operations } from '../../src/operations.ts'
import type { OpenStorage } from '../../src/server/open.ts'
import { type Delivery, pageDeliveries } from '../../src/webhooks/deliveries.sql.ts'
import { headersPlace, secretPlace, webhookJobHandlers } from '../../src/webhooks/delivery.job.ts'
import { listEndpoints } from '../../src/webhooks/endpoints.sql.ts'
import { newWebhookSecret } from '../../src/webhooks/signature.ts'
import { contextWith, type DatabaseKind, type FreshDatabase, freshDatabase, openStorage } from '../support/databases.ts'
import { openSql, type Sql } from '../support/sql.ts'

const table = new URL('../../src/operations.ts', import.meta.url)

/** The key ring that encrypts secrets in the tests of webhooks: one fixed key of 32 bytes. */
export const keys: KeyRing = [Buffer.alloc(32, 7)]

/**
 * A site on a fresh database whose operations and webhook jobs run in the test process, with a clock that the test
 * sets.
 */
export class WebhookTestSite {
  now: number
  readonly storage: OpenStorage<Operations>
  readonly #fresh: FreshDatabase
  readonly #client = new OutboundClient({ allowed: parseNetworks('127.0.0.0/8') })
  readonly handlers: readonly JobHandler[]
  readonly runner: JobRunner

  private constructor(storage: OpenStorage<Operations>, fresh: FreshDatabase, now: number) {
    this.storage = storage
    this.#fresh = fresh
    this.now = now
    const jobs = { app: this.app, client: this.#client, findKey: async () => keys, version: 'test' }
    this.handlers = webhookJobHandlers(jobs)
    this.runner = new JobRunner({
      app: this.app,
      handlers: this.handlers,
      schedules: [],
      alone: false,
    })
  }

  static async open(kind: DatabaseKind, now: number): Promise<WebhookTestSite> {
    const fresh = await freshDatabase(kind)
    const storage = await openStorage<typeof operations>({ at: fresh.at, operations: table })
    const site = new WebhookTestSite(storage, fresh, now)
    await site.perform('site.prepare', { siteUrl: '' })
    return site
  }

  get app() {
    const silent = () => {}
    return { ...this.storage, now: () => this.now, log: { info: silent, warn: silent, error: silent } }
  }

  async perform<N extends keyof Operations & string>(name: N, input: Parameters<Operations[N]>[1]) {
    const outcome = await this.storage.perform(name, input as never, contextWith({ now: this.now }))
    return resultOf(outcome)
  }

  /** Adds a webhook endpoint; returns its id and secret. */
  async endpoint(
    url: string,
    more: {
      readonly events?: readonly string[]
      readonly template?: string
      readonly headers?: Readonly<Record<string, string>>
    } = {},
  ): Promise<{ readonly id: string; readonly secret: string }> {
    const id = newId('webhook')
    const secret = newWebhookSecret()
    await this.perform('webhooks.add', {
      ...{ id, url, description: 'test', events: more.events ?? ['*'], template: more.template ?? null },
      headers: encrypt(keys, JSON.stringify(more.headers ?? {}), headersPlace(id)),
      secret: encrypt(keys, secret, secretPlace(id)),
    })
    return { id, secret }
  }

  /** Adds a customer, which appends one event; returns the customer's id. */
  async customer(name = 'Jo'): Promise<string> {
    const made = await this.perform('customers.add', {
      name,
      email: `${newId('customer')}@x.example`,
      createUser: false,
    })
    return (made as { readonly id: string }).id
  }

  /**
   * Passes new events to the consumers of the event log, which queue deliveries, and then runs the jobs that are due.
   */
  async runDueJobs(): Promise<void> {
    await relayEvents(this.app)
    await this.runner.runDue()
  }

  async deliveries(): Promise<readonly Delivery[]> {
    return (await pageDeliveries(this.storage.db, {}, { limit: 10_000, offset: 0 })).page
  }

  /** Opens the database for queries; the caller must close the returned connection. */
  openSql(): Sql {
    return openSql({ dataDir: '', ...this.#fresh.at })
  }

  /** The URL of the PostgreSQL database; undefined on SQLite. */
  get databaseUrl(): string | undefined {
    return 'databaseUrl' in this.#fresh.at ? this.#fresh.at.databaseUrl : undefined
  }

  async delivery(): Promise<Delivery> {
    const [one, ...more] = await this.deliveries()
    assert.ok(one && more.length === 0, 'one delivery')
    return one
  }

  async endpointNamed(id: string) {
    const found = (await listEndpoints(this.storage.db)).find((one) => one.id === id)
    assert.ok(found)
    return found
  }

  async close(): Promise<void> {
    await this.#client.close()
    await this.storage.close()
    await this.#fresh.remove()
  }
}

function resultOf<T>(outcome: Outcome<T>): T {
  assert.ok('ok' in outcome, JSON.stringify(outcome))
  return outcome.ok
}
