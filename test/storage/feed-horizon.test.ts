import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import pg from 'pg'
import type { ReadDatabase } from '../../src/db/database.ts'
import { beginning, type Cursor, findOldestUnsettled, parseSeq, readFeed } from '../../src/db/log/event-log.ts'
import { contextWith, databasesHere, emptyDatabase, type FreshDatabase, withStorage } from '../support/databases.ts'
import { proved } from '../support/proof.ts'
import { scaled } from '../support/scale.ts'
import { operationsAt, type TestCommands } from './test-operations.ts'

const [, postgres] = await databasesHere()
const storage = withStorage<TestCommands>
// The number of events that are appended, and read at once, while transactions of another database end.
const appended = 400
// Transactions without end, one after the other, each of which takes up to ten milliseconds.
const briefTransactions = `do $$ begin loop
  perform pg_current_xact_id(), pg_sleep(random() * 0.01); commit;
end loop; end $$`

describe('the feed on PostgreSQL', { skip: postgres?.skip ?? false }, () => {
  test('a writer in another database of the server does not delay the feed', () =>
    storage('postgres', operationsAt, async ({ perform, db }) => {
      const other = await emptyDatabase()
      const stranger = await connected(other)
      await stranger.query('begin; create table elsewhere (id integer); insert into elsewhere values (1)')
      await perform('announce', { objectId: 'c_1', types: ['customer.updated'] }, contextWith())
      assert.equal((await readFeed(db, { after: beginning, limit: 10 })).events.length, 1)
      assert.equal(await findOldestUnsettled(db), undefined)
      await stranger.query('rollback')
      await stranger.end()
      await other.remove()
    }))

  test('transactions of another database that end while the feed is read do not delay it', () =>
    storage('postgres', operationsAt, async ({ perform, db }) => {
      const other = await emptyDatabase()
      const strangers = await Promise.all(Array.from({ length: 8 }, () => connected(other)))
      const ended = strangers.map((stranger) => {
        stranger.on('error', () => {})
        return assert.rejects(stranger.query(briefTransactions))
      })
      const waiting: number[] = []
      for (let number = 1; number <= appended; number += 1) {
        await perform('announce', { objectId: 'c_1', types: ['customer.updated'] }, contextWith())
        const { events } = await readFeed(db, { after: beginning, limit: 500 })
        if (events.length < number) waiting.push(number)
      }
      // Removing the database ends its connections.
      await other.remove()
      await Promise.all(ended)
      assert.deepEqual(waiting, [])
    }))

  test('readers, and writers of other tables of this database, do not delay the feed', () =>
    storage('postgres', operationsAt, async ({ perform, db }, fresh) => {
      const other = await connected(fresh)
      await other.query(
        'begin isolation level repeatable read; select count(*) from event; create table notes (id integer)',
      )
      await perform('announce', { objectId: 'c_1', types: ['customer.updated'] }, contextWith())
      assert.equal((await readFeed(db, { after: beginning, limit: 10 })).events.length, 1)
      await other.query('rollback')
      await other.end()
    }))

  test('a transaction that may still append delays what sorts after it, until it ends', () =>
    storage('postgres', operationsAt, async ({ perform, db }, fresh) => {
      const writer = await connected(fresh)
      await writer.query('begin; lock table event in row exclusive mode')
      await writer.query('savepoint one; select pg_current_xact_id(); savepoint two; create table notes (id integer)')
      await perform('announce', { objectId: 'c_1', types: ['customer.updated'] }, contextWith({ now: 77 }))
      assert.deepEqual((await readFeed(db, { after: beginning, limit: 10 })).events, [])
      assert.equal(await findOldestUnsettled(db), 77)
      await writer.query('rollback')
      assert.equal((await readFeed(db, { after: beginning, limit: 10 })).events.length, 1)
      await writer.end()
    }))

  test('a reader concurrent with twelve writers misses nothing and reads everything in order', (t) =>
    storage('postgres', operationsAt, async ({ perform, db }) => {
      const writers = 12
      const each = scaled(50)
      let writing = true
      const written = Promise.all(
        Array.from({ length: writers }, async (_, writer) => {
          for (let i = 0; i < each; i++) {
            const types = Array.from({ length: 1 + (i % 3) }, () => 'customer.updated' as const)
            await perform('announce', { objectId: `${writer}:${i}`, types }, contextWith())
          }
        }),
      ).finally(() => {
        writing = false
      })
      const seen: { id: string; seq: string }[] = []
      while (writing) {
        seen.push(...(await rest(db, seen)))
        await setImmediate()
      }
      await written
      seen.push(...(await rest(db, seen)))
      const stored = await db.build.selectFrom('event').select('id').orderBy('tx').orderBy('n').execute()
      const missed = new Set(stored.map(({ id }) => id)).difference(new Set(seen.map(({ id }) => id))).size
      proved(t, 'feed', { events: stored.length, missed })
      assert.deepEqual(
        seen.map(({ id }) => id),
        stored.map(({ id }) => id),
      )
    }))
})

async function rest(db: ReadDatabase, seen: readonly { seq: string }[]): Promise<{ id: string; seq: string }[]> {
  return (await readFeed(db, { after: cursorAfter(seen), limit: 500 })).events
}

function cursorAfter(seen: readonly { seq: string }[]): Cursor {
  const last = seen.at(-1)
  return (last && parseSeq(last.seq)) ?? beginning
}

async function connected({ at }: FreshDatabase): Promise<pg.Client> {
  assert.ok('databaseUrl' in at)
  const client = new pg.Client({ connectionString: at.databaseUrl })
  await client.connect()
  return client
}
