import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { insertSignedInUser } from '../support/browser-client.ts'
import { ana } from '../support/clinic.ts'
import { withoutPooler } from '../support/databases.ts'
import { InsertLock } from '../support/insert-lock.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'
import { whenServed } from '../support/when-served.ts'

onEachDatabase((open, kind) => {
  let site: TestSite
  before(async () => {
    site = await open()
  })
  after(() => site.close())

  const count = 100
  const fileOf = (phone: string, status: 'cancelled' | 'confirmed') => ({
    customers: Array.from({ length: count }, (_, at) => ({ key: `c${at}`, name: `Customer ${at}`, phone })),
    reservations: Array.from({ length: count }, (_, at) => ({
      ...{ key: `r${at}`, customer: `c${at}`, service: 'plain', provider: ana, start: '2026-10-06T09:00' },
      status: at === 0 ? status : 'cancelled',
    })),
  })

  // SQLite has one writer and no locks.
  if (kind === 'sqlite') return

  // PostgreSQL has room for some thousands of locks of all transactions together. A site file may have more customers.
  test('a site file takes as many locks for a hundred customers and reservations as for one, and customers wait', async (t) => {
    const { databaseUrl = '' } = site
    const desk = (await insertSignedInUser(site, 'manager')).browser
    await site.server.apply(fileOf('1', 'cancelled'))
    const client = new pg.Client(await withoutPooler(databaseUrl))
    await client.connect()
    t.after(() => client.end())
    await using blocked = await InsertLock.acquire(databaseUrl)
    const applied = site.server.apply(fileOf('2', 'confirmed'))
    await blocked.waitForBlocked(1)
    const { rows } = await client.query(
      `select count(*)::int as locks from pg_locks where locktype = 'advisory'
       and database = (select oid from pg_database where datname = current_database())`,
    )
    assert.ok(rows[0].locks < 20, `${rows[0].locks} locks`)
    // On a busy machine, the rest of the site file can take longer than the service lets the edit wait.
    const edited = whenServed(() => desk.post('/customers/edit/', { id: site.customer('Jo'), name: 'Joanna' }))
    await blocked.waitForOtherLocks(1)
    await blocked.release()
    await applied
    assert.equal((await edited).status, 200)
  })
})
