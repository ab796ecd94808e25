import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findNewestSettled } from '../../src/db/log/event-log.ts'
import { relayEvents } from '../../src/jobs/event-relay.ts'
import { JobRunner } from '../../src/jobs/runner.ts'
import { findCursorBefore, listEventsBetween } from '../../src/webhooks/deliveries.sql.ts'
import { deliveryKind, replayKind } from '../../src/webhooks/delivery-kind.ts'
import { databasesHere } from '../support/databases.ts'
import { WebhookTestSite } from './webhook-test-site.ts'

const beginning = { tx: 0, n: 0 }

for (const { kind, skip } of await databasesHere()) {
  describe(`a replay of webhooks on ${kind}`, { skip, timeout: 600_000 }, () => {
    test('contains every event since an instant, also when an older event follows it in the log', async () => {
      const site = await WebhookTestSite.open(kind, 1_800_000_000)
      try {
        await site.customer()
        const recent = await site.customer()
        const older = await site.customer()
        const since = site.now
        const sql = site.openSql()
        await sql('update event set created_at = ? where object_id <> ?', [since - 1, recent])
        await sql.close()
        const { db } = site.storage
        const until = await findNewestSettled(db)
        const after = await findCursorBefore(db, since)
        const sent = await listEventsBetween(db, { after, until, kinds: ['customer'] })
        assert.deepEqual(
          sent.map(({ objectId }) => objectId),
          [recent, older],
        )
        assert.deepEqual(await findCursorBefore(db, since + 1), until)
      } finally {
        await site.close()
      }
    })

    test('takes one run for each part, and continues with the part whose run has failed', async () => {
      const site = await WebhookTestSite.open(kind, 1_800_000_000)
      try {
        const { id: endpointId } = await site.endpoint('http://127.0.0.1:1/', { events: ['customer.*'] })
        await site.customer()
        const sql = site.openSql()
        const columns = 'type, kind, object_id, body, body_version, actor_kind, actor_id, created_at'
        await sql(`insert into event (tx, n, id, ${columns})
          with recursive copy(i) as (select 1 union all select i + 1 from copy where i < 1100)
          select tx, n + i, 'copy_' || i, ${columns} from event cross join copy where type = 'customer.created'`)
        await relayEvents(site.app)
        await sql('delete from job where kind = ?', [deliveryKind])
        await site.perform('webhooks.replay.begin', { endpointId, after: beginning })

        const parts: unknown[] = []
        const replay = site.handlers.find((handler) => handler.kind === replayKind) ?? assert.fail()
        const handler: typeof replay = {
          ...replay,
          run: async (payload, run) => {
            parts.push(Object(payload).after)
            if (parts.length === 2) throw new Error('The database is gone.')
            return replay.run(payload, run)
          },
        }
        const runner = new JobRunner({ app: site.app, handlers: [handler], schedules: [], alone: false })
        await runner.runDue()
        // A replay that a user begins meanwhile has a job of its own, which does not replace the rest of this one.
        await site.perform('webhooks.replay.begin', { endpointId, after: beginning })
        await sql("delete from job where kind = ? and state = 'due' and attempts = 0", [replayKind])
        site.now += 60
        await runner.runDue()
        const [first, second, again, third, ...more] = parts
        assert.deepEqual([first, second, more], [beginning, again, []])
        assert.notDeepEqual(second, third)
        const jobs = await sql('select unique_key from job where kind = ?', [deliveryKind])
        await sql.close()
        assert.equal(jobs.length, 1_101)
      } finally {
        await site.close()
      }
    })
  })
}
