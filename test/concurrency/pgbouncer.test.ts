import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import {
  type Arena,
  accepted,
  assertNothingUnsold,
  assertSound,
  contend,
  day,
  now,
  openArena,
} from '../support/arena.ts'
import { databasesHere } from '../support/databases.ts'
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '../support/pgbouncer.ts'
import { postgresServer } from '../support/postgres.ts'
import { patience, scaled } from '../support/scale.ts'

const [, { skip = false } = {}] = await databasesHere()
const rounds = scaled(3)
const clients = 64

describe('behind PgBouncer in transaction mode', {
  skip: skip || (hasPgBouncer() ? false : 'PgBouncer is not installed'),
  timeout: patience,
}, () => {
  let pooler: PgBouncer
  let arena: Arena
  before(async () => {
    const server = await postgresServer()
    assert.ok(server)
    // Fewer connections than the pools of two nodes, so that transactions do change connections.
    pooler = await startPgBouncer(server, 6)
    process.env.DAYBOOK_TEST_POOLER_PORT = String(pooler.port)
    arena = await openArena('postgres', { clients, fixedClock: true, nodes: 2 })
  })
  after(async () => {
    await arena?.close()
    delete process.env.DAYBOOK_TEST_POOLER_PORT
    await pooler?.stop()
  })

  test('named prepared statements fail there, so that this test can fail', async () => {
    const url = new URL(arena.databaseUrl ?? '')
    url.searchParams.delete('prepared_statements')
    const pool = new pg.Pool({ connectionString: url.href, max: 8 })
    pool.on('error', () => {})
    const ask = () => pool.query({ name: 'canary', text: 'select pg_sleep(0.05)' })
    const answers = await Promise.allSettled(Array.from({ length: 40 }, ask))
    await pool.end()
    assert.ok(answers.some((one) => one.status === 'rejected' && /prepared statement/.test(String(one.reason))))
  })

  test(`${clients} clients on two nodes sell every seat exactly once, ${rounds} times`, async () => {
    const slots = await arena.slots('pair', { from: now + day, until: now + 30 * day, provider: 11 })
    for (let round = 0; round < rounds; round++) {
      const slot = slots[round * Math.floor(slots.length / rounds)]
      assert.ok(slot)
      const wanted = Array.from({ length: clients }, () => slot)
      const replies = await contend(arena, wanted)
      assert.equal(accepted(replies), 2)
      await assertNothingUnsold(arena, wanted, replies)
    }
    await assertSound(arena)
  })
})
