import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ReadDatabase } from '../../src/db/database.ts'
import type { Context } from '../../src/db/perform/app.ts'
import { contextWith, databasesHere, withStorage } from '../support/databases.ts'
import { scaled, seed, seededRandom } from '../support/scale.ts'
import { operationsAt, type TestCommands } from './test-operations.ts'

const full = { code: 'slot_full', message: { code: 'slot_full' }, details: { start: { code: 'slot_full' } } }
const day = 24 * 60 * 60

for (const { kind, skip } of await databasesHere()) {
  const storage = withStorage<TestCommands>
  describe(kind, { skip }, () => {
    test('a write is visible to every read after its response', () =>
      storage(kind, operationsAt, async ({ perform, db }) => {
        for (let i = 0; i < 100; i++) {
          assert.deepEqual(await perform('add', { id: `n${i}` }, contextWith()), { ok: { id: `n${i}` } })
          assert.equal((await notes(db)).length, i + 1)
        }
      }))

    test('a refusal stores nothing and is returned as plain data', () =>
      storage(kind, operationsAt, async ({ perform, db }) => {
        assert.deepEqual(await perform('refuse', { id: 'a' }, contextWith()), { refused: full })
        assert.deepEqual(await kept(db), { notes: [], events: 0 })
      }))

    test('a fault stores nothing and does not affect the next write', () =>
      storage(kind, operationsAt, async ({ perform, db }) => {
        for (const name of ['fail', 'failInSql'] as const) {
          const outcome = await perform(name, { id: 'a' }, contextWith())
          assert.equal('fault' in outcome && outcome.fault, 'internal')
        }
        assert.deepEqual(await kept(db), { notes: [], events: 0 })
        assert.deepEqual(await perform('add', { id: 'b' }, contextWith()), { ok: { id: 'b' } })
      }))

    test(`writes that share a commit are stored independently (seed ${seed})`, () =>
      storage(kind, operationsAt, async ({ perform, db }) => {
        const random = seededRandom(seed)
        const kinds = ['add', 'refuse', 'fail', 'failInSql', 'silent', 'dry', 'keyed'] as const
        const expected: string[] = []
        for (let batch = 0; batch < scaled(25); batch++) {
          // Each batch draws from a random number of the kinds, so that some batches contain only additions and
          // others many failures.
          const few = kinds.slice(0, 1 + Math.floor(random() * kinds.length))
          const writes = Array.from({ length: 1 + Math.floor(random() * 12) }, (_, index) => {
            const id = `b${batch}-${index}`
            return { id, what: few[Math.floor(random() * few.length)] ?? 'add' }
          })
          const outcomes = await Promise.all(
            writes.map(({ id, what }) => {
              if (what === 'dry') return perform('add', { id }, contextWith({ dryRun: true }))
              if (what === 'keyed') return perform('refuse', { id }, keyed(id))
              return perform(what, { id }, contextWith())
            }),
          )
          for (const [index, { id, what }] of writes.entries()) {
            const outcome = outcomes[index] ?? {}
            const [results] = Object.keys(outcome)
            const answers = { add: 'ok', silent: 'ok', dry: 'ok', refuse: 'refused', keyed: 'refused' } as const
            assert.equal(
              results,
              what === 'fail' || what === 'failInSql' ? 'fault' : answers[what],
              JSON.stringify(outcome),
            )
            if (what === 'add' || what === 'silent') expected.push(id)
          }
        }
        assert.deepEqual((await kept(db)).notes.toSorted(), expected.toSorted())
      }))

    test('an unknown operation is a fault', () =>
      storage(kind, operationsAt, async ({ perform }) => {
        const unknown = JSON.parse('"toString"')
        const outcome = await perform(unknown, {}, contextWith())
        assert.match('fault' in outcome ? outcome.message : '', /no operation "toString"/)
      }))

    test('a dry run returns the full result and stores nothing', () =>
      storage(kind, operationsAt, async ({ perform, db }) => {
        const dry = contextWith({ dryRun: true })
        assert.deepEqual(await perform('add', { id: 'a' }, dry), { ok: { id: 'a' } })
        assert.deepEqual(await perform('refuse', { id: 'a' }, dry), { refused: full })
        assert.deepEqual(await kept(db), { notes: [], events: 0 })
        assert.deepEqual(await perform('add', { id: 'a' }, contextWith()), { ok: { id: 'a' } })
      }))

    test('an operation without a result returns null', () =>
      storage(kind, operationsAt, async ({ perform }) => {
        assert.deepEqual(await perform('silent', { id: 'a' }, contextWith()), { ok: null })
      }))

    test('fifty identical calls with one key are one write, and all receive its outcome', () =>
      storage(kind, operationsAt, async ({ perform, db }) => {
        const calls = Array.from({ length: 50 }, () => perform('add', { id: 'a' }, keyed('k')))
        const outcomes = await Promise.all(calls)
        assert.equal(outcomes.filter((outcome) => !('replayed' in outcome)).length, 1)
        for (const outcome of outcomes) assert.deepEqual('ok' in outcome && outcome.ok, { id: 'a' })
        assert.deepEqual(await kept(db), { notes: ['a'], events: 1 })
      }))

    test('a refusal is stored for its key, and nothing else of it', () =>
      storage(kind, operationsAt, async ({ perform, db }) => {
        assert.deepEqual(await perform('refuse', { id: 'a' }, keyed('k')), { refused: full })
        assert.deepEqual(await perform('add', { id: 'a' }, keyed('k')), { refused: full, replayed: true })
        assert.deepEqual(await kept(db), { notes: [], events: 0 })
      }))

    test('a key is refused for another request, and free in another scope', () =>
      storage(kind, operationsAt, async ({ perform, db }) => {
        await perform('add', { id: 'a' }, keyed('k'))
        const other = await perform('add', { id: 'b' }, keyed('k', { hash: 'other' }))
        assert.equal('refused' in other && other.refused.code, 'idempotency_key_reused')
        assert.deepEqual(await perform('add', { id: 'c' }, keyed('k', { scope: 'other' })), { ok: { id: 'c' } })
        assert.deepEqual((await kept(db)).notes, ['a', 'c'])
      }))

    test('neither a fault nor a dry run is stored for a key', () =>
      storage(kind, operationsAt, async ({ perform }) => {
        await perform('fail', { id: 'a' }, keyed('k'))
        await perform('add', { id: 'a' }, { ...keyed('k'), dryRun: true })
        assert.deepEqual(await perform('add', { id: 'a' }, keyed('k')), { ok: { id: 'a' } })
      }))

    test('a key is free again after a day', () =>
      storage(kind, operationsAt, async ({ perform }) => {
        const context = keyed('k')
        await perform('add', { id: 'a' }, context)
        const stillKept = await perform('add', { id: 'b' }, { ...context, now: context.now + day - 1 })
        assert.deepEqual(stillKept, { ok: { id: 'a' }, replayed: true })
        const later = { ...context, now: context.now + day }
        assert.deepEqual(await perform('add', { id: 'c' }, later), { ok: { id: 'c' } })
        assert.deepEqual(await perform('add', { id: 'd' }, later), { ok: { id: 'c' }, replayed: true })
      }))

    test('identifiers sort by creation', () =>
      storage(kind, operationsAt, async ({ perform }) => {
        const made: string[] = []
        for (let i = 0; i < 20; i++) {
          const outcome = await perform('identifiers', {}, contextWith())
          if ('ok' in outcome) made.push(...outcome.ok)
        }
        assert.equal(made.length, 40)
        assert.deepEqual(made, [...new Set(made)].sort())
      }))

    for (const keys of [['counter'], ['catalogue!'], ['b', 'a', 'catalogue']]) {
      test(`writes that hold ${keys.join(', ')} run one after the other`, () =>
        storage(kind, operationsAt, async ({ perform }) => {
          const calls = Array.from({ length: 100 }, (_, i) =>
            perform('count', { keys: i % 2 ? keys : keys.toReversed() }, contextWith()),
          )
          const counts = (await Promise.all(calls)).map((outcome) => ('ok' in outcome ? outcome.ok.count : outcome))
          assert.deepEqual(
            counts.sort((a, b) => Number(a) - Number(b)),
            counts.map((_, i) => i + 1),
          )
        }))
    }
  })
}

function keyed(key: string, given: { readonly scope?: string; readonly hash?: string } = {}): Context {
  return contextWith({ idempotency: { scope: 'token 1 POST /notes/', key, hash: 'first', ...given } })
}

function notes(db: ReadDatabase): Promise<{ id: string }[]> {
  return db.build.selectFrom('busy').select('id').orderBy('id').execute()
}

async function kept(db: ReadDatabase): Promise<{ notes: string[]; events: number }> {
  const events = await db.build.selectFrom('event').select('id').execute()
  return { notes: (await notes(db)).map(({ id }) => id), events: events.length }
}
