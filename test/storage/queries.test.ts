import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { postgres } from '../../src/db/dialects.ts'
import type { Perform } from '../../src/db/perform/app.ts'
import { prepared } from '../../src/db/query/prepared.ts'
import { contextWith, databasesHere, withStorage } from '../support/databases.ts'
import { operationsAt, type TestCommands } from './test-operations.ts'

const largest = Number.MAX_SAFE_INTEGER

const byNote = prepared<{ note: string; start: number }, { id: string }>((db, p) =>
  db.selectFrom('busy').select('id').where('note', '=', p.note).where('start_at', '<=', p.start).orderBy('id'),
)
const between = prepared<{ at: number }, { id: string }>((db, p) =>
  db.selectFrom('busy').select('id').where('start_at', '<=', p.at).where(sql<boolean>`${p.at} < end_at`),
)
const among = prepared<{ ids: readonly string[] }, { id: string }>((db, p, dialect) =>
  db
    .selectFrom('busy')
    .select('id')
    .where(dialect.listed(sql.ref('id'), p.ids, 'text'))
    .orderBy('id'),
)
const ofProviders = prepared<{ providers: readonly number[] }, { id: string }>((db, p, dialect) =>
  db
    .selectFrom('busy')
    .select('id')
    .where(dialect.listed(sql.ref('provider_id'), p.providers, 'bigint')),
)
const rawSum = prepared<{ a: number; b: number }, { sum: number }>(
  (_, p) => sql<{ sum: number }>`select cast(${p.a} as bigint) + cast(${p.b} as bigint) as sum`,
)

for (const { kind, skip } of await databasesHere()) {
  const storage = withStorage<TestCommands>
  describe(kind, { skip }, () => {
    test('a prepared query is run with values, in any position and more than once', () =>
      storage(kind, operationsAt, async ({ perform, db }) => {
        for (const id of ['a', 'b']) await perform('silent', { id, text: 'x' }, contextWith({ now: 10 }))
        await perform('silent', { id: 'c', text: 'y' }, contextWith({ now: 10 }))
        assert.deepEqual(ids(await db.run(byNote, { note: 'x', start: 10 })), ['a', 'b'])
        assert.deepEqual(ids(await db.run(byNote, { note: 'y', start: 10 })), ['c'])
        assert.deepEqual(ids(await db.run(byNote, { note: 'x', start: 9 })), [])
        assert.equal((await db.run(between, { at: 10 })).length, 3)
        assert.equal((await db.run(between, { at: 11 })).length, 0)
        assert.equal((await db.run(rawSum, { a: 2, b: 3 }))[0]?.sum, 5)
      }))

    test('a prepared query refuses to run without one of its values', () =>
      storage(kind, operationsAt, async ({ db }) => {
        const incomplete = JSON.parse('{"note":"x"}')
        await assert.rejects(async () => db.run(byNote, incomplete), /without a value for "start"/)
      }))

    test('a list matches exactly the listed values, whatever characters they contain', () =>
      storage(kind, operationsAt, async ({ perform, db }) => {
        const odd = ['a,b', '{c}', 'd"e', "f'g", 'h\\i', 'NULL', 'ü', ' ']
        for (const id of [...odd, 'other']) await perform('silent', { id }, contextWith())
        assert.deepEqual(ids(await db.run(among, { ids: odd })).sort(), [...odd].sort())
        assert.deepEqual(await db.run(among, { ids: [] }), [])
        assert.deepEqual(await db.run(among, { ids: ['none'] }), [])
        assert.equal((await db.run(ofProviders, { providers: [1, largest] })).length, odd.length + 1)
        assert.equal((await db.run(ofProviders, { providers: [2] })).length, 0)
        const built = db.build.selectFrom('busy').select('id')
        const found = await built.where(db.dialect.listed(sql.ref('id'), ['ü', ' '], 'text')).execute()
        assert.deepEqual(ids(found).sort(), [' ', 'ü'])
      }))

    test('an integer in a field of JSON is found, and null without field or object', () =>
      storage(kind, operationsAt, async ({ db }) => {
        const find = async (text: string | null) => {
          const value = db.dialect.jsonInteger(sql`cast(${text} as text)`, 'paid')
          return (await db.build.selectNoFrom(value.as('paid')).executeTakeFirstOrThrow()).paid
        }
        const found = [await find('{"paid":4500}'), await find('{"paid":0}'), await find('{"due":1}'), await find(null)]
        assert.deepEqual(found, [4500, 0, null, null])
      }))

    test('text sorts by code point', () =>
      storage(kind, operationsAt, async ({ perform, db }) => {
        for (const id of ['b', 'B', 'a', 'Z', '_', '9']) await perform('silent', { id }, contextWith())
        const sorted = await db.build.selectFrom('busy').select('id').orderBy('id').execute()
        assert.deepEqual(ids(sorted), ['9', 'B', 'Z', '_', 'a', 'b'])
      }))

    test('integers are returned as numbers up to 2^53 - 1, and rejected beyond', () =>
      storage(kind, operationsAt, async ({ perform, db }) => {
        await perform('silent', { id: 'a' }, contextWith({ now: largest - 1 }))
        const row = await db.build.selectFrom('busy').selectAll().executeTakeFirstOrThrow()
        assert.equal(row.end_at, largest)
        const totals = db.build.selectFrom('busy').select((e) => [e.fn.sum<number>('provider_id').as('sum')])
        assert.equal((await totals.executeTakeFirstOrThrow()).sum, 1)
        const counted = db.build.selectFrom('busy').select((e) => e.fn.countAll<number>().as('rows'))
        assert.equal((await counted.executeTakeFirstOrThrow()).rows, 1)
        await assert.rejects(db.run(rawSum, { a: largest, b: 2 }))
      }))

    test('a snapshot sees one state, while concurrent reads see later commits', () =>
      storage(kind, operationsAt, async ({ perform, db }) => {
        await perform('silent', { id: 'a' }, contextWith())
        const all = () => db.build.selectFrom('busy').select('id').execute()
        await db.snapshot(async (snapshot) => {
          const before = await snapshot.run(among, { ids: ['a', 'b'] })
          await perform('silent', { id: 'b' }, contextWith())
          assert.deepEqual(await snapshot.run(among, { ids: ['a', 'b'] }), before)
          assert.equal((await snapshot.build.selectFrom('busy').select('id').execute()).length, 1)
          assert.equal((await all()).length, 2)
        })
        assert.equal((await db.snapshot((snapshot) => snapshot.run(among, { ids: ['a', 'b'] }))).length, 2)
      }))

    test('a failed snapshot does not affect the next one', () =>
      storage(kind, operationsAt, async ({ db }) => {
        for (let i = 0; i < 20; i++) {
          await assert.rejects(
            db.snapshot(async () => {
              throw new Error('on purpose')
            }),
            /on purpose/,
          )
        }
        assert.deepEqual(await db.snapshot((snapshot) => snapshot.run(among, { ids: [] })), [])
      }))

    test('reads cannot write', () =>
      storage(kind, operationsAt, async ({ db }) => {
        const row = { id: 'a', provider_id: 1, source: 'time_off', start_at: 1, end_at: 2, note: '' }
        if (kind === 'sqlite') await assert.rejects(db.build.insertInto('busy').values(row).execute(), /readonly/)
        await assert.rejects(
          db.snapshot((snapshot) => snapshot.build.insertInto('busy').values(row).execute()),
          /readonly|read-only/,
        )
      }))

    test('a stream returns every row once, in batches, as of its start', () =>
      storage(kind, operationsAt, async ({ perform, db }) => {
        const names = Array.from({ length: 1100 }, (_, i) => String(i).padStart(5, '0'))
        await addAll(perform, names)
        const query = db.build.selectFrom('busy').select('id').orderBy('id').compile()
        const seen: string[] = []
        let parts = 0
        for await (const part of db.stream(query)) {
          if (parts++ === 0) await perform('silent', { id: '99999' }, contextWith())
          seen.push(...ids(part))
        }
        assert.deepEqual(seen, names)
        assert.ok(parts > 3, `in ${parts} parts`)
      }))

    test('abandoned streams do not block others', () =>
      storage(kind, operationsAt, async ({ perform, db }) => {
        await addAll(
          perform,
          Array.from({ length: 600 }, (_, i) => `n${i}`),
        )
        const query = db.build.selectFrom('busy').select('id').compile()
        for (let i = 0; i < 12; i++) {
          for await (const part of db.stream(query)) {
            assert.ok(part.length > 0)
            break
          }
        }
        let rows = 0
        for await (const part of db.stream(query)) rows += part.length
        assert.equal(rows, 600)
      }))
  })
}

/** Adds rows 20 at a time, so that no write is refused because it has waited for a connection for a minute. */
async function addAll(perform: Perform<TestCommands>, names: readonly string[]): Promise<void> {
  for (let from = 0; from < names.length; from += 20) {
    const part = names.slice(from, from + 20)
    const outcomes = await Promise.all(part.map((id) => perform('silent', { id }, contextWith())))
    assert.deepEqual(
      outcomes.filter((outcome) => !('ok' in outcome)),
      [],
    )
  }
}

function ids(rows: readonly { readonly id: string }[]): string[] {
  return rows.map(({ id }) => id)
}

test('the name of a prepared statement depends on its text alone', async () => {
  const other: typeof import('../../src/db/query/prepared.ts') = await import(
    new URL('../../src/db/query/prepared.ts?as-in-another-process', import.meta.url).href
  )
  const nameOf = (make: typeof prepared, text: string) =>
    make<{ a: number }, { a: number }>((_, p) => sql<{ a: number }>`select ${p.a} as ${sql.raw(text)}`).statement(
      postgres,
    ).name
  const here = ['one', 'two'].map((text) => nameOf(prepared, text))
  const there = ['two', 'one'].map((text) => nameOf(other.prepared, text))
  assert.deepEqual(here, there.toReversed())
  assert.notEqual(here[0], here[1])
})
