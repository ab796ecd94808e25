import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import pg from 'pg'
import { relayEvents } from '../../src/jobs/event-relay.ts'
import { listAttempts } from '../../src/webhooks/attempts.sql.ts'
import { contextWith, databasesHere, withoutPooler } from '../support/databases.ts'
import { InsertLock } from '../support/insert-lock.ts'
import { waitingForLocks } from '../support/lock-waits.ts'
import { pause } from '../support/pause.ts'
import { suiteTimeout } from '../support/scale.ts'
import { type Receiver, type ReceiverResponse, startReceiver } from './receiver.ts'
import { WebhookTestSite } from './webhook-test-site.ts'

for (const { kind, skip } of await databasesHere()) {
  const concurrent = { skip: kind === 'sqlite' && 'SQLite runs one write at a time' }
  describe(`attempts of webhooks that end after another change on ${kind}`, { skip, timeout: suiteTimeout }, () => {
    let site: WebhookTestSite
    let receiver: Receiver
    let answer: ReceiverResponse | Promise<ReceiverResponse>
    beforeEach(async () => {
      site = await WebhookTestSite.open(kind, 1_800_000_000)
      receiver = await startReceiver(() => answer)
    })
    afterEach(async () => {
      await receiver.close()
      await site.close()
    })

    const echo = { status: 200, headers: { 'x-customer': 'Jo Park' }, body: 'unknown customer Jo Park' }
    const attempts = async () => listAttempts(site.storage.db, (await site.delivery()).id)
    const stored = async () =>
      (await attempts()).map(({ status, response, responseHeaders }) => ({ status, response, responseHeaders }))
    const emptied = { status: 200, response: null, responseHeaders: {} }

    /** Connects to the database, until the end of the block. */
    async function connect() {
      const client = new pg.Client(await withoutPooler(site.databaseUrl ?? assert.fail()))
      await client.connect()
      return { client, [Symbol.asyncDispose]: () => client.end() }
    }

    /** Begins to deliver the event of a new customer; resolves when the receiver has the request, before it answers. */
    async function beginDelivery() {
      const answered = Promise.withResolvers<ReceiverResponse>()
      answer = answered.promise
      await site.endpoint(receiver.url, { events: ['customer.created'] })
      const customerId = await site.customer('Jo Park')
      await relayEvents(site.app)
      const run = site.runner.runDue()
      await receiver.atLeast(1)
      return { customerId, run, answer: answered.resolve }
    }

    test('a response that arrives after the customer was erased is not stored', async () => {
      const delivery = await beginDelivery()
      await site.perform('customers.erase', { id: delivery.customerId })
      await relayEvents(site.app)
      delivery.answer(echo)
      await delivery.run
      assert.deepEqual(await stored(), [emptied])
    })

    test('a response that arrives while the customer is erased is not stored', concurrent, async () => {
      const delivery = await beginDelivery()
      await using observer = await connect()
      // The erasure appends its event last, when it has emptied the earlier ones and holds their rows.
      await using lock = await InsertLock.acquire(site.databaseUrl ?? assert.fail(), 'event')
      const erased = site.perform('customers.erase', { id: delivery.customerId })
      await lock.waitForBlocked(1)
      let isRecorded = false
      const recorded = delivery.run.then(() => {
        isRecorded = true
      })
      delivery.answer(echo)
      while (!isRecorded && (await waitingForLocks(observer.client)) === 0) await pause()
      await lock.release()
      await Promise.all([erased, recorded])
      assert.deepEqual(await stored(), [emptied])
    })

    test('a delivery that is sent again while its failed attempt is recorded begins anew', concurrent, async () => {
      answer = { status: 500 }
      await site.endpoint(receiver.url)
      await site.customer()
      await site.runDueJobs()
      const { id, nextAt } = await site.delivery()
      site.now = nextAt ?? 0
      const answered = Promise.withResolvers<ReceiverResponse>()
      answer = answered.promise
      const run = site.runner.runDue()
      await receiver.atLeast(2)
      answer = { status: 204 }
      await using observer = await connect()
      await using lock = await InsertLock.acquire(site.databaseUrl ?? assert.fail(), 'idempotency')
      const idempotency = { scope: 'test', key: 'again', hash: 'same' }
      const again = site.storage.perform(
        'webhooks.redeliver',
        { ids: [id] },
        contextWith({ now: site.now, idempotency }),
      )
      await lock.waitForBlocked(1)
      answered.resolve({ status: 500 })
      while ((await waitingForLocks(observer.client)) === 0) await pause()
      await lock.release()
      assert.ok('ok' in (await again))
      await run
      const delivered = await site.delivery()
      assert.deepEqual([delivered.state, delivered.attempts], ['delivered', 1])
    })
  })
}
