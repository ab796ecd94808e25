import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import {
  accepted,
  assertConsistent,
  assertRefusedOnlyWhenFull,
  bookConcurrently,
  type ContendedSite,
  day,
  now,
  openContendedSite,
} from '../support/contended-site.ts'
import { databasesHere } from '../support/databases.ts'
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '../support/pgbouncer.ts'
import { postgresServer } from '../support/postgres.ts'
import { scaled, suiteTimeout } from '../support/scale.ts'

const [, { skip = false } = {}] = await databasesHere()
const rounds = scaled(3)
const clients = 64

describe('behind PgBouncer in transaction mode', {
  skip: skip || (hasPgBouncer() ? false : 'PgBouncer is not installed'),
  timeout: suiteTimeout,
}, () => {
  let pooler: PgBouncer
  let site: ContendedSite
  before(async () => {
    const server = await postgresServer()
    assert.ok(server)
    // PgBouncer has six connections to the server, fewer than the 20 connections in the pools of the two nodes, so that
    // transactions of one client connection use different server connections.
    pooler = await startPgBouncer(server, 6)
    process.env.DAYBOOK_TEST_POOLER_PORT = String(pooler.port)
    site = await openContendedSite('postgres', { clients, fixedClock: true, nodes: 2 })
  })
  after(async () => {
    await site?.close()
    delete process.env.DAYBOOK_TEST_POOLER_PORT
    await pooler?.stop()
  })

  test('named prepared statements fail there, so that this test can fail', async () => {
    const url = new URL(site.databaseUrl ?? '')
    url.searchParams.delete('prepared_statements')
    const pool = new pg.Pool({ connectionString: url.href, max: 8 })
    pool.on('error', () => {})
    const ask = () => pool.query({ name: 'canary', text: 'select pg_sleep(0.05)' })
    const answers = await Promise.allSettled(Array.from({ length: 40 }, ask))
    await pool.end()
    assert.ok(answers.some((one) => one.status === 'rejected' && /prepared statement/.test(String(one.reason))))
  })

  test(`${clients} clients on two nodes sell every seat exactly once, ${rounds} times`, async () => {
    const slots = await site.slots('pair', { from: now + day, until: now + 30 * day, provider: 11 })
    for (let round = 0; round < rounds; round++) {
      const slot = slots[round * Math.floor(slots.length / rounds)]
      assert.ok(slot)
      const wanted = Array.from({ length: clients }, () => slot)
      const replies = await bookConcurrently(site, wanted)
      assert.equal(accepted(replies), 2)
      await assertRefusedOnlyWhenFull(site, wanted, replies)
    }
    await assertConsistent(site)
  })
})
