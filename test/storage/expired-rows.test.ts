import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { resultOf } from '../../src/db/perform/outcome.ts'
import type { Operations } from '../../src/operations.ts'
import type { OpenStorage } from '../../src/server/open.ts'
import { now } from '../support/clinic.ts'
import {
  contextWith,
  databasesHere,
  type FreshDatabase,
  freshDatabase,
  openStorage,
  withoutPooler,
} from '../support/databases.ts'
import { waitingForLocks } from '../support/lock-waits.ts'
import { pause } from '../support/pause.ts'

const operations = new URL('../../src/operations.ts', import.meta.url)
const skip = (await databasesHere()).find(({ kind }) => kind === 'postgres')?.skip ?? 'PostgreSQL is not installed'

// SQLite runs one write transaction at a time.
describe('rows that another transaction renews while expired rows are deleted', { skip }, () => {
  let fresh: FreshDatabase
  let storage: OpenStorage<Operations>
  let writer: pg.Client
  let observer: pg.Client
  before(async () => {
    fresh = await freshDatabase('postgres')
    storage = await openStorage<Operations>({ at: fresh.at, operations })
    const { databaseUrl } = 'databaseUrl' in fresh.at ? fresh.at : assert.fail()
    const url = await withoutPooler(databaseUrl)
    ;[writer, observer] = [new pg.Client(url), new pg.Client(url)]
    await Promise.all([writer.connect(), observer.connect()])
    resultOf(await storage.perform('site.prepare', { siteUrl: '' }, contextWith({ now })))
  })
  after(async () => {
    await Promise.all([writer.end(), observer.end(), storage.close()])
    await fresh.remove()
  })

  for (const { row, insert, renew, count } of [
    {
      row: 'an outcome that is stored under an expired idempotency key',
      insert: `insert into idempotency (scope, key, hash, outcome, expires_at)
        values ('token', 'repeated', '', '{"ok":{}}', ${now - 1})`,
      renew: `update idempotency set expires_at = ${now + 1} where key = 'repeated'`,
      count: `select count(*)::int from idempotency where key = 'repeated'`,
    },
    {
      row: 'a busy time of a calendar that is extended',
      insert: `insert into busy (id, provider_id, source, start_at, end_at, note, calendar_id)
        values ('calendar:0', 1, 'calendar', 0, 1, '', 'calendar')`,
      renew: `update busy set end_at = ${now} where id = 'calendar:0'`,
      count: `select count(*)::int from busy where id = 'calendar:0'`,
    },
    {
      row: 'a delivery to a webhook, with its attempts, that is sent again',
      insert: `insert into webhook_endpoint
          (id, url, description, events, headers, payload_version, secret, enabled, created_at, updated_at)
        values ('endpoint', 'https://clinic.example', '', '[]', '{}', '', '', 1, 0, 0);
        insert into webhook_delivery (id, endpoint_id, event_id, seq, type, object_id, state, attempts, created_at)
        values ('old', 'endpoint', 'event', '1', 'type', 'object', 'failed', 1, 0);
        insert into webhook_attempt
          (id, delivery_id, created_at, milliseconds, request_headers, response_headers)
        values ('first', 'old', 0, 1, '{}', '{}')`,
      renew: `update webhook_delivery set state = 'waiting', attempts = 0 where id = 'old'`,
      count: `select count(*)::int from webhook_delivery join webhook_attempt on delivery_id = webhook_delivery.id`,
    },
  ])
    test(`${row} remains`, async () => {
      await writer.query(insert)
      await writer.query('begin')
      await writer.query(renew)
      const swept = storage.perform('sweep', {}, contextWith({ now }))
      while ((await waitingForLocks(observer)) === 0) await pause()
      await writer.query('commit')
      resultOf(await swept)
      assert.deepEqual((await writer.query(count)).rows, [{ count: 1 }])
    })
})
