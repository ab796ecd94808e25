import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { indexAllCustomers } from '../../src/customers/search/search-index.job.ts'
import type { Schedule } from '../../src/jobs/job.ts'
import { listJobs } from '../../src/jobs/list.ts'
import { JobRunner } from '../../src/jobs/runner.ts'
import { sweepAll } from '../../src/maintenance/sweep.job.ts'
import type { operations } from '../../src/operations.ts'
import type { OpenStorage } from '../../src/server/open.ts'
import { contextWith, databasesHere, withStorage } from '../support/databases.ts'
import { suiteTimeout } from '../support/scale.ts'
import { openSql, type Sql } from '../support/sql.ts'

const table = new URL('../../src/operations.ts', import.meta.url)
const now = 1_800_000_000
type Storage = OpenStorage<typeof operations>

for (const { kind, skip } of await databasesHere())
  describe(`a periodic job of several batches on ${kind}`, { skip, timeout: suiteTimeout }, () => {
    const withSite = (work: (storage: Storage, sql: Sql) => Promise<void>) =>
      withStorage<typeof operations>(kind, table, async (storage, { at }) => {
        await storage.perform('site.prepare', { siteUrl: '' }, contextWith({ now }))
        const sql = openSql({ dataDir: '', ...at })
        try {
          await work(storage, sql)
        } finally {
          await sql.close()
        }
      })
    /** Returns the service as its jobs see it; `stopping` is aborted with the first write. */
    const stoppedByWrite = (storage: Storage) => {
      const stopping = new AbortController()
      const perform: Storage['perform'] = (...call) => {
        stopping.abort()
        return storage.perform(...call)
      }
      const log = () => {}
      const app = { ...storage, perform, now: () => now, log: { info: log, warn: log, error: log } }
      return { app, signal: stopping.signal }
    }
    const count = async (sql: Sql, rows: string) => Number((await sql(`select count(*) as n from ${rows}`))[0]?.n)

    test('deletes no further batch of expired rows once the service stops', () =>
      withSite(async (storage, sql) => {
        await sql(`insert into spent (hash, expires_at)
          with recursive number (i) as (select 1 union all select i + 1 from number where i < 2500)
          select 'hash ' || i, 1 from number`)
        const { app, signal } = stoppedByWrite(storage)
        await assert.rejects(sweepAll(app, signal), { name: 'AbortError' })
        assert.equal(await count(sql, 'spent'), 500)
      }))

    test('indexes no further batch of customers once the service stops', () =>
      withSite(async (storage, sql) => {
        const customers = Array.from({ length: 501 }, (_, place) => ({ key: `k${place}`, name: `Zoë Nr${place}` }))
        await storage.perform('site.apply', { customers }, contextWith({ now }))
        await sql('delete from customer_word')
        await sql('update customer set worded = 0')
        const { app, signal } = stoppedByWrite(storage)
        await assert.rejects(indexAllCustomers(app, signal), { name: 'AbortError' })
        assert.equal(await count(sql, 'customer where worded = 0'), 1)
      }))

    test('is due at once after a stop', () =>
      withSite(async (storage) => {
        const began = Promise.withResolvers<void>()
        const run: Schedule['run'] = (signal) =>
          new Promise((_, failed) => {
            began.resolve()
            signal.addEventListener('abort', () => failed(signal.reason))
          })
        const { app } = stoppedByWrite(storage)
        const schedules = [{ kind: 'long', every: 3_600, atStart: true, run } as const]
        const runner = new JobRunner({ app, handlers: [], schedules, alone: false })
        await runner.prepare()
        runner.start()
        await began.promise
        await runner.stop()
        const { page } = await listJobs(storage.db, {}, { limit: 10, offset: 0 })
        assert.deepEqual(
          page.map(({ state, runAt, lastError }) => [state, runAt, lastError]),
          [['due', now, null]],
        )
      }))
  })
