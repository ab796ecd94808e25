import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { relayEvents } from '../../src/jobs/event-relay.ts'
import { databasesHere } from '../support/databases.ts'
import { suiteTimeout } from '../support/scale.ts'
import { startReceiver } from './receiver.ts'
import { WebhookTestSite } from './webhook-test-site.ts'

const some = { providerIds: [7], serviceIds: null, from: 1_800_086_400, until: 1_800_090_000 }
const everything = { providerIds: null, serviceIds: null, from: null, until: null }

for (const { kind, skip } of await databasesHere()) {
  describe(`changed availability on ${kind}`, { skip, timeout: suiteTimeout }, () => {
    for (const [changes, reported] of [
      [5, some],
      [1_100, everything],
    ] as const)
      test(`is reported for ${changes} changes ${reported === some ? 'with provider and time' : 'without'}`, async () => {
        const site = await WebhookTestSite.open(kind, 1_800_000_000)
        const receiver = await startReceiver()
        try {
          await site.endpoint(receiver.url, { events: ['availability.changed'] })
          await site.customer()
          const state = { providerId: 7, serviceId: 's_1', start: some.from, end: some.until }
          const sql = site.openSql()
          await sql(
            `insert into event (tx, n, id, type, kind, object_id, body, body_version, actor_kind, actor_id, created_at)
              with recursive copy(i) as (select 1 union all select i + 1 from copy where i < ${changes})
              select tx, n + i, 'copy_' || i, 'reservation.created', 'reservation', 'r_' || i, ?, body_version, actor_kind,
                actor_id, created_at from event cross join copy where type = 'customer.created'`,
            [JSON.stringify({ object: state, previous: null })],
          )
          await sql.close()
          await relayEvents(site.app)
          site.now += 5
          await site.runner.runDue()
          assert.deepEqual(
            receiver.received.map(({ body }) => JSON.parse(body).data.object),
            [reported],
          )
        } finally {
          await receiver.close()
          await site.close()
        }
      })
  })
}
