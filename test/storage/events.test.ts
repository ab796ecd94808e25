import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { ReadDatabase } from '../../src/db/database.ts'
import { appendEvents, beginning, type Cursor, parseSeq, readFeed, toSeq } from '../../src/db/log/event-log.ts'
import type { LoggedEvent } from '../../src/history/event.ts'
import { contextWith, databasesHere, withStorage } from '../support/databases.ts'
import { hangLimit } from '../support/scale.ts'
import { operationsAt, type TestCommands } from './test-operations.ts'

for (const { kind, skip } of await databasesHere()) {
  const storage = withStorage<TestCommands>
  describe(kind, { skip }, () => {
    test('an event records actor, change, time and request', () =>
      storage(kind, operationsAt, async ({ perform, db }) => {
        const context = contextWith({ now: 1234, actor: { kind: 'token', id: 'tok_1' }, requestId: 'req-1' })
        await perform('announce', { objectId: 'c_1', types: ['customer.updated'] }, context)
        const [event] = await feedUntil(db, 1)
        assert.match(event?.id ?? '', /^evt_[0-9A-Za-z]{32}$/)
        assert.match(event?.seq ?? '', /^\d{22}$/)
        assert.deepEqual(
          { ...event, id: '', seq: '' },
          {
            id: '',
            seq: '',
            type: 'customer.updated',
            objectId: 'c_1',
            object: { type: 'customer.updated' },
            previous: { objectId: 'c_1' },
            createdAt: 1234,
            actor: { kind: 'token', id: 'tok_1' },
          },
        )
        const row = await db.build.selectFrom('event').selectAll().executeTakeFirstOrThrow()
        assert.deepEqual([row.kind, row.request_id, row.body_version], ['customer', 'req-1', 1])
      }))

    test('the digest of an event is verifiable while body and salt exist', () =>
      storage(kind, operationsAt, async ({ perform, db }) => {
        await perform('announce', { objectId: 'c_1', types: ['customer.updated'] }, contextWith())
        const row = await db.build.selectFrom('event').selectAll().executeTakeFirstOrThrow()
        const { id, type, object_id, body, body_version, actor_kind, actor_id, request_id, created_at, salt } = row
        const entry = [id, type, object_id, body, body_version, actor_kind, actor_id, request_id, created_at]
        const digest = createHash('sha256')
          .update(JSON.stringify([entry, salt]))
          .digest('hex')
        assert.match(salt ?? '', /^[0-9a-f]{32}$/)
        assert.equal(row.digest, digest)
      }))

    test('the events of one write are adjacent, in the order they were appended', () =>
      storage(kind, operationsAt, async ({ perform, db }) => {
        const types = ['reservation.created', 'customer.created', 'reservation.confirmed'] as const
        await perform('announce', { objectId: 'x', types }, contextWith())
        await perform('announce', { objectId: 'y', types }, contextWith())
        const events = await feedUntil(db, 6)
        assert.deepEqual(
          events.map(({ type }) => type),
          [...types, ...types],
        )
        const places = events.map(({ seq }) => parseSeq(seq))
        assert.deepEqual(
          places.map((place) => place?.n),
          [0, 1, 2, 0, 1, 2],
        )
        assert.equal(new Set(places.map((place) => place?.tx)).size, 2)
      }))

    test('one operation cannot append more events than the feed can number', () =>
      storage(kind, operationsAt, async ({ db }) => {
        const change = { type: 'customer.updated', objectId: 'c_1', object: null, previous: null } as const
        const origin = { actor: { kind: 'token', id: 'tok_1' }, requestId: null, createdAt: 1234 } as const
        const events = Array.from({ length: 1_000_001 }, () => ({ id: 'evt_1', salt: '', ...change, ...origin }))
        await assert.rejects(appendEvents(db, events), /at most 1000000 events/)
        assert.equal(toSeq({ tx: 1, n: 999_999 }).length, 22)
      }))

    test('the feed can be filtered by kind, and read from a position with a limit', () =>
      storage(kind, operationsAt, async ({ perform, db }) => {
        const types = ['reservation.created', 'customer.created', 'reservation.removed'] as const
        await perform('announce', { objectId: 'x', types }, contextWith())
        const all = await feedUntil(db, 3)
        const seen = async (question: Partial<Parameters<typeof readFeed>[1]>) =>
          (await readFeed(db, { after: beginning, limit: 10, ...question })).events.map(({ type }) => type)
        assert.deepEqual(await seen({ kinds: ['reservation'] }), ['reservation.created', 'reservation.removed'])
        assert.deepEqual(await seen({ kinds: ['service'] }), [])
        assert.deepEqual(await seen({ limit: 2 }), ['reservation.created', 'customer.created'])
        assert.deepEqual(await seen({ after: cursorOf(all[1]) }), ['reservation.removed'])
        assert.deepEqual(await seen({ after: cursorOf(all[2]) }), [])
      }))

    test('an erased event still has its metadata', () =>
      storage(kind, operationsAt, async ({ perform, db }) => {
        await perform('announce', { objectId: 'c_1', types: ['customer.removed'] }, contextWith())
        await perform('eraseEvents', {}, contextWith())
        const [event] = await feedUntil(db, 1)
        assert.deepEqual([event?.type, event?.object, event?.previous], ['customer.removed', null, null])
      }))

    test('a reader concurrent with many writers misses and repeats nothing, and reads everything in order', () =>
      storage(kind, operationsAt, async ({ perform, db }) => {
        const writers = 8
        const each = 25
        const written = Promise.all(
          Array.from({ length: writers }, async (_, writer) => {
            for (let i = 0; i < each; i++) {
              const types = Array.from({ length: 1 + (i % 3) }, () => 'customer.updated' as const)
              await perform('announce', { objectId: `${writer}:${i}`, types }, contextWith())
            }
          }),
        )
        const total = writers * Array.from({ length: each }, (_, i) => 1 + (i % 3)).reduce((a, b) => a + b)
        const seen = await feedUntil(db, total)
        await written
        const seqs = seen.map(({ seq }) => seq)
        assert.deepEqual(seqs, [...new Set(seqs)].sort())
        const stored = await db.build.selectFrom('event').select('id').orderBy('tx').orderBy('n').execute()
        assert.deepEqual(
          seen.map(({ id }) => id),
          stored.map(({ id }) => id),
        )
      }))
  })
}

for (const place of [
  { tx: 0, n: 0 },
  { tx: 12, n: 34 },
  { tx: Number.MAX_SAFE_INTEGER, n: 999_999 },
]) {
  test(`the position ${place.tx}/${place.n} survives its text form`, () =>
    assert.deepEqual(parseSeq(toSeq(place)), place))
}

for (const text of ['', '0', 'x'.repeat(22), `${'9'.repeat(16)}000000`, ` ${'0'.repeat(21)}`, '0'.repeat(23)]) {
  test(`"${text}" is not a position of the feed`, () => assert.equal(parseSeq(text), undefined))
}

/**
 * Reads the feed from its beginning until there are `count` events. Waits at most `hangLimit`, because an open
 * transaction of another test may delay the feed.
 */
async function feedUntil(db: ReadDatabase, count: number): Promise<LoggedEvent[]> {
  const seen: LoggedEvent[] = []
  const giveUpAt = performance.now() + hangLimit
  while (seen.length < count && performance.now() < giveUpAt) {
    const { events } = await readFeed(db, { after: cursorOf(seen.at(-1)), limit: 7 })
    seen.push(...events)
    // Reads of SQLite do not yield to the event loop, which must run so that the writers receive their responses.
    await setImmediate()
  }
  assert.equal(seen.length, count)
  return seen
}

function cursorOf(event: LoggedEvent | undefined): Cursor {
  return (event && parseSeq(event.seq)) ?? beginning
}
