import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pg from 'pg'
import { type OpenStorage, open } from '../../src/server/open.ts'
import { contextWith, databasesHere, type FreshDatabase, freshDatabase } from '../support/databases.ts'
import { busyOf, operationsAt, type TestCommands } from './test-operations.ts'

const skip = (await databasesHere()).find(({ kind }) => kind === 'postgres')?.skip ?? false
const poolSize = 6
const calls = 25
const provider = 1

describe('a node on PostgreSQL, while a newer one migrates the database', { skip }, () => {
  test('serves every read and write after a column was added', () =>
    withNode(async (node, migrate) => {
      await readOnEveryConnection(node)
      await migrate('alter table busy add column first_new integer')
      for (let i = 0; i < calls; i++) await callAll(node, `one ${i}`)
      await readOnEveryConnection(node)
      await migrate('alter table busy add column second_new integer')
      await Promise.all(Array.from({ length: calls }, () => node.db.run(busyOf, { provider })))
      assert.equal((await node.db.run(busyOf, { provider })).length, calls)
    }))

  test('serves the reads and writes that run concurrently with migrations', () =>
    withNode(async (node, migrate) => {
      await readOnEveryConnection(node)
      let migrating = true
      const migrated = (async () => {
        for (let i = 0; i < 10; i++) await migrate(`alter table busy add column new_${i} integer`)
      })().finally(() => {
        migrating = false
      })
      let acknowledged = 0
      const client = async (name: string) => {
        for (let i = 0; migrating || i < calls; i++) {
          await callAll(node, `${name} ${i}`)
          acknowledged += 1
        }
      }
      await Promise.all(['a', 'b', 'c'].map(client))
      await migrated
      assert.equal((await node.db.run(busyOf, { provider })).length, acknowledged)
    }))

  test('serves streams and long snapshots after a column was added', () =>
    withNode(async (node, migrate) => {
      await node.perform('add', { id: 'one' }, contextWith())
      await readOnEveryConnection(node)
      await migrate('alter table busy add column new integer')
      for (let i = 0; i < poolSize; i++) {
        assert.equal(await node.db.longSnapshot(async (at) => (await at.run(busyOf, { provider })).length), 1)
      }
      const texts = await Array.fromAsync(node.db.texts(ids, {}))
      assert.deepEqual(texts, ['one'])
    }))
})

const ids = {
  module: import.meta.url,
  async *texts(db: { run: OpenStorage<TestCommands>['db']['run'] }) {
    for (const { id } of await db.run(busyOf, { provider })) yield id
  },
}

async function callAll({ db, perform }: OpenStorage<TestCommands>, id: string): Promise<void> {
  const [outcome] = await Promise.all([
    perform('addAndCount', { id }, contextWith()),
    db.run(busyOf, { provider }),
    db.snapshot((at) => at.run(busyOf, { provider })),
  ])
  assert.ok('ok' in outcome, JSON.stringify(outcome))
}

/** Runs the query on every connection of the pool, so that it is prepared there. */
async function readOnEveryConnection({ db }: OpenStorage<TestCommands>): Promise<void> {
  let missing = poolSize
  const all = Promise.withResolvers<void>()
  const reads = Array.from({ length: poolSize }, () =>
    db.snapshot(async (at) => {
      await at.run(busyOf, { provider })
      missing -= 1
      if (missing === 0) all.resolve()
      await all.promise
    }),
  )
  await Promise.all(reads)
}

async function withNode(
  work: (node: OpenStorage<TestCommands>, migrate: (text: string) => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const fresh: FreshDatabase = await freshDatabase('postgres')
  assert.ok('databaseUrl' in fresh.at)
  // With `thread: false` the node does not poll for cache invalidations, which would occupy connections at any time.
  const node = await open<TestCommands>({ at: fresh.at, operations: operationsAt, poolSize, thread: false })
  const newer = new pg.Client({ connectionString: fresh.at.databaseUrl })
  await newer.connect()
  try {
    await work(node, (text) => newer.query(text))
  } finally {
    await newer.end()
    await node.close()
    await fresh.remove()
  }
}
