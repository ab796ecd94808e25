import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { now, openContendedSite } from '../support/contended-site.ts'
import { administer, hasPostgres, startPostgres } from '../support/postgres.ts'

const skip = hasPostgres() ? false : 'PostgreSQL is not installed'

test('a commit that the synchronous standby did not confirm is answered 503, and is there when repeated', {
  skip,
}, async (t) => {
  // The test has a PostgreSQL server of its own, because it makes the server wait for a standby that does not exist.
  const server = await startPostgres()
  assert.ok(server)
  await administer(server, 'alter role daybook set synchronous_commit = on')
  process.env.DAYBOOK_TEST_POSTGRES_URL = server.url
  delete process.env.DAYBOOK_TEST_TEMPLATE
  delete process.env.DAYBOOK_TEST_POOLER_PORT
  const site = await openContendedSite('postgres', { clients: 2, fixedClock: true })
  const admin = new pg.Client(site.databaseUrl)
  await admin.connect()
  const release = async () => {
    await admin.query('alter system reset synchronous_standby_names')
    await admin.query('select pg_reload_conf()')
  }
  t.after(async () => {
    await release()
    await admin.end()
    await site.close()
    await server.stop()
  })
  const [slot] = await site.slots('single', { from: now + 86_400, until: now + 7 * 86_400, provider: 1 })
  assert.ok(slot)
  const { body } = site.booking(0, slot)
  const book = () =>
    site.service.call('POST', '/reservations/add/', {
      body,
      headers: { 'Idempotency-Key': '"kept-for-the-repetition"' },
    })
  const reservations = async () => (await admin.query('select id from reservation')).rows.map(({ id }) => id)

  const cancelWaiting = "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'"
  const probe = new pg.Client(site.databaseUrl)
  await probe.connect()
  await probe.query('create table probe (n integer)')
  await admin.query("alter system set synchronous_standby_names = 'none_such'")
  await admin.query('select pg_reload_conf()')
  // Commits wait only once the server has read its configuration again, so the loop commits until a commit waits.
  for (let waited = false; !waited; ) {
    let ended = false
    const commit = probe.query('insert into probe values (1)').finally(() => {
      ended = true
    })
    while (!ended) waited = (await admin.query(cancelWaiting)).rows.length > 0 || waited
    await commit
  }
  await probe.end()
  /**
   * Sends a request while the standby is missing. The commit waits for the standby until this loop cancels the wait. At
   * that time only the primary has stored the write, so the service must not answer 200.
   */
  const unconfirmed = async (send: typeof book) => {
    let answered = false
    const answer = send().finally(() => {
      answered = true
    })
    while (!answered) await admin.query(cancelWaiting)
    const refused = await answer
    assert.deepEqual([refused.status, refused.headers.get('retry-after') !== null], [503, true], refused.text)
  }
  /** Sends a request like `unconfirmed`, again until it is stored: a busy service answers 503 before it writes. */
  const unconfirmedOnceStored = async (send: typeof book, isStored: () => Promise<boolean>) => {
    do await unconfirmed(send)
    while (!(await isStored()))
  }
  await unconfirmedOnceStored(book, async () => (await reservations()).length > 0)
  const [stored, ...more] = await reservations()
  assert.ok(stored !== undefined && more.length === 0, 'the primary has stored the reservation')

  // A repeated request writes no reservation, but must not be acknowledged before the standby has the first one.
  await unconfirmed(book)
  assert.deepEqual(await reservations(), [stored])

  // The same holds without an idempotency key, when the reservation already is as the request wants it.
  const cancel = () => site.service.call('POST', '/reservations/edit/', { body: { id: stored, status: 'cancelled' } })
  const live = async () => (await admin.query("select 1 from reservation where status <> 'cancelled'")).rowCount
  await unconfirmedOnceStored(cancel, async () => (await live()) === 0)
  const events = async () => (await admin.query('select id from event')).rowCount
  const cancelled = await events()
  await unconfirmed(cancel)
  assert.equal(await events(), cancelled)

  await release()
  const repeated = await book()
  assert.deepEqual([repeated.status, repeated.body.id], [200, stored], repeated.text)
  assert.equal((await cancel()).status, 200)
  assert.deepEqual(await reservations(), [stored])
})
