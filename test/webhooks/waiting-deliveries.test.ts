import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { relayEvents } from '../../src/jobs/event-relay.ts'
import { listJobs } from '../../src/jobs/list.ts'
import { databasesHere } from '../support/databases.ts'
import { InsertLock } from '../support/insert-lock.ts'
import { WebhookTestSite } from './webhook-test-site.ts'

for (const { kind, skip } of await databasesHere()) {
  describe(`waiting deliveries of webhooks on ${kind}`, { skip, timeout: 600_000 }, () => {
    let site: WebhookTestSite
    beforeEach(async () => {
      site = await WebhookTestSite.open(kind, 1_800_000_000)
    })
    afterEach(() => site.close())

    const url = 'http://127.0.0.1:1/'

    test('a delivery whose job is discarded is cancelled, and can be sent again', async () => {
      await site.endpoint(url)
      await site.customer()
      await relayEvents(site.app)
      const jobs = () => listJobs(site.storage.db, {}, { limit: 9, offset: 0 })
      const delivery = await site.delivery()
      const [job] = (await jobs()).page.filter(({ key }) => key === delivery.id)
      await site.perform('jobs.discard', { id: job?.id ?? '' })
      const { state, nextAt, finishedAt } = await site.delivery()
      assert.deepEqual([state, nextAt, finishedAt], ['cancelled', null, site.now])
      await site.perform('webhooks.redeliver', { state: 'cancelled' })
      assert.deepEqual([(await site.delivery()).state, (await jobs()).total], ['waiting', 1])
    })

    const changes = [
      ['disabled', 'webhooks.edit', ['cancelled']],
      ['removed', 'webhooks.remove', []],
    ] as const
    for (const [word, name, states] of changes)
      test(`no delivery waits after its endpoint was ${word} while the delivery was created`, {
        skip: kind === 'sqlite' && 'SQLite runs one write at a time',
      }, async () => {
        const { id } = await site.endpoint(url)
        await site.customer()
        await using lock = await InsertLock.acquire(site.databaseUrl ?? assert.fail(), 'job')
        const relayed = relayEvents(site.app)
        await lock.waitForBlocked(1)
        const changed = site.perform(name, { id, ...(name === 'webhooks.edit' && { enabled: false }) })
        await Promise.race([changed, lock.waitForOtherLocks(1)])
        await lock.release()
        await Promise.all([relayed, changed])
        assert.deepEqual(
          (await site.deliveries()).map(({ state }) => state),
          states,
        )
      })
  })
}
