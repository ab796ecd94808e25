import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { findStoredOutcome } from '../../src/db/perform/idempotency.ts'
import { resultOf } from '../../src/db/perform/outcome.ts'
import type { Operations } from '../../src/operations.ts'
import { open } from '../../src/server/open.ts'
import { now } from '../support/clinic.ts'
import { contextWith, databasesHere, freshDatabase, withoutPooler } from '../support/databases.ts'
import { waitingForLocks } from '../support/lock-waits.ts'
import { pause } from '../support/pause.ts'

const operations = new URL('../../src/operations.ts', import.meta.url)
const skip = (await databasesHere()).find(({ kind }) => kind === 'postgres')?.skip ?? 'PostgreSQL is not installed'
const call = { scope: 'token', key: 'repeated' }

// SQLite runs one write transaction at a time.
test('an outcome stored under an expired key while expired rows are deleted remains', { skip }, async (t) => {
  const fresh = await freshDatabase('postgres')
  const { databaseUrl } = 'databaseUrl' in fresh.at ? fresh.at : assert.fail()
  const storage = await open<Operations>({ at: fresh.at, operations })
  const url = await withoutPooler(databaseUrl)
  const [writer, observer] = [new pg.Client(url), new pg.Client(url)]
  t.after(async () => {
    await Promise.all([writer.end(), observer.end(), storage.close()])
    await fresh.remove()
  })
  await Promise.all([writer.connect(), observer.connect()])
  resultOf(await storage.perform('site.prepare', { siteUrl: '' }, contextWith({ now })))
  const stored = (expiresAt: number) =>
    writer.query(
      `insert into idempotency (scope, key, hash, outcome, expires_at) values ($1, $2, '', '{"ok":{}}', $3)
       on conflict (scope, key) do update set expires_at = excluded.expires_at`,
      [call.scope, call.key, expiresAt],
    )
  await stored(now - 1)
  await writer.query('begin')
  await stored(now + 1)
  const swept = storage.perform('sweep', {}, contextWith({ now }))
  while ((await waitingForLocks(observer)) === 0) await pause()
  await writer.query('commit')
  resultOf(await swept)
  assert.notEqual(await findStoredOutcome(storage.db, call, now), undefined)
})
