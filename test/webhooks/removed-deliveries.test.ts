import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { databasesHere } from '../support/databases.ts'
import { suiteTimeout } from '../support/scale.ts'
import { WebhookTestSite } from './webhook-test-site.ts'

const day = 86_400

for (const { kind, skip } of await databasesHere()) {
  describe(`the removal of deliveries of webhooks on ${kind}`, { skip, timeout: suiteTimeout }, () => {
    let site: WebhookTestSite
    beforeEach(async () => {
      site = await WebhookTestSite.open(kind, 1_800_000_000)
    })
    afterEach(() => site.close())

    const count = async (table: 'webhook_delivery' | 'webhook_attempt') =>
      (await site.storage.db.build.selectFrom(table).select('id').execute()).length
    const sweep = async () => {
      const { deleted, more } = Object(await site.perform('sweep', {}))
      return [deleted, more]
    }

    /** Adds deliveries of an endpoint, each with two attempts. */
    async function insertDeliveries(endpointId: string, deliveries: number, state: string): Promise<void> {
      const sql = site.openSql()
      const numbers = (max: number) =>
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${max})`
      await sql(
        `insert into webhook_delivery (id, endpoint_id, event_id, seq, type, object_id, state, attempts, created_at)
          ${numbers(deliveries)} select '${endpointId}' || i, '${endpointId}', 'e_' || i, '1', 'customer.created', 'c_1',
          '${state}', 2, ${site.now} from n`,
      )
      await sql(
        `insert into webhook_attempt (id, delivery_id, created_at, milliseconds, request_headers, response_headers)
          ${numbers(2)} select d.id || '-' || i, d.id, ${site.now}, 1, '{}', '{}' from webhook_delivery d cross join n
          where d.endpoint_id = '${endpointId}'`,
      )
      await sql.close()
    }

    test('the deliveries of a removed endpoint are not listed, and the sweep deletes them in batches', async () => {
      const url = 'http://127.0.0.1:1/'
      const [removed, other] = [await site.endpoint(url), await site.endpoint(url)]
      await insertDeliveries(removed.id, 900, 'waiting')
      await insertDeliveries(other.id, 3, 'delivered')
      await site.perform('webhooks.remove', { id: removed.id })
      assert.equal(await count('webhook_delivery'), 903, 'the removal of an endpoint does not delete its deliveries')
      assert.deepEqual(new Set((await site.deliveries()).map(({ endpointId }) => endpointId)), new Set([other.id]))
      const again = await site.perform('webhooks.redeliver', { ids: [`${removed.id}1`] })
      assert.deepEqual(again, { count: 0, next: null })
      assert.deepEqual(
        [await sweep(), await sweep()],
        [
          [2_000, true],
          [700, false],
        ],
      )
      assert.deepEqual([await count('webhook_delivery'), await count('webhook_attempt')], [3, 6])
    })

    test('the sweep counts the attempts that it deletes with old deliveries', async () => {
      const { id } = await site.endpoint('http://127.0.0.1:1/')
      await insertDeliveries(id, 900, 'failed')
      site.now += 31 * day
      assert.deepEqual(
        [await sweep(), await sweep()],
        [
          [2_000, true],
          [700, false],
        ],
      )
      assert.deepEqual([await count('webhook_delivery'), await count('webhook_attempt')], [0, 0])
    })
  })
}
