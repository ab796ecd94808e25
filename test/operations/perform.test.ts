import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { migrateSqlite } from '../../src/db/migrate.ts'
import type { Context, OperationTable, Tx } from '../../src/db/perform/app.ts'
import { fault, performIn, type TransactionScope } from '../../src/db/perform/perform.ts'
import { openToWrite, type SqliteConnection } from '../../src/db/sqlite/sqlite.ts'
import { message } from '../../src/messages/message.ts'
import { Refusal, refusal } from '../../src/messages/refusal.ts'
import { now } from '../support/clinic.ts'
import { contextWith, type FreshDatabase, freshDatabase } from '../support/databases.ts'

let fresh: FreshDatabase
let connection: SqliteConnection
let claims: boolean
let claimed: unknown[]
/**
 * The calls of functions of the `TransactionScope`, in order: `lock` with its keys, `mark` for a savepoint, `keep` for
 * its release, and `undo` for a rollback.
 */
let marks: string[]

beforeEach(async () => {
  fresh = await freshDatabase('sqlite')
  assert.ok('dataDir' in fresh.at)
  connection = openToWrite(`${fresh.at.dataDir}/daybook.db`)
  await migrateSqlite(connection, now)
  connection.script('begin immediate')
  claims = true
  claimed = []
  marks = []
})
afterEach(async () => {
  connection.close()
  await fresh.remove()
})

const note = async (tx: Tx, id: string) => {
  const row = { id, provider_id: 1, source: 'time_off', start_at: tx.now, end_at: tx.now + 1, note: '' }
  await tx.db.build.insertInto('busy').values(row).execute()
  await tx.append({ type: 'customer.created', objectId: id, object: { id }, previous: null })
}
const full = { code: 'slot_full', message: message('slot_full'), details: { start: message('slot_full') } } as const
const operations: OperationTable = {
  add: async (tx, { id }: { id: string }) => {
    await tx.lock(['b', 'a'])
    await note(tx, id)
    return { id, at: tx.now, by: tx.actor.id, gone: undefined }
  },
  silent: async () => undefined,
  refuse: async (tx) => {
    await note(tx, 'refused')
    throw new Refusal(full)
  },
  fail: async (tx) => {
    await note(tx, 'failed')
    throw new TypeError('a mistake')
  },
  failWithText: async () => {
    throw 'text'
  },
  again: async () => {
    throw Object.assign(new Error('deadlock'), { again: true })
  },
  occupied: async (tx) => {
    for (const id of ['one', 'two'])
      await tx.db.build
        .insertInto('occupancy')
        .values({
          id,
          reservation_id: null,
          resource: 'p1',
          slot: id,
          seat: 1,
          start_at: now,
          end_at: now + 60,
          expires_at: now,
        })
        .execute()
  },
}

const session = (): TransactionScope => ({
  db: Object.assign(Object.create(connection), {
    dialect: {
      ...connection.dialect,
      failure: (error: unknown) =>
        error instanceof Error && 'again' in error ? 'again' : connection.dialect.failure(error),
    },
    run: connection.run.bind(connection),
    build: connection.build,
  }),
  lock: async (keys) => void marks.push(`lock ${keys.join(' ')}`),
  claim: async (call) => {
    claimed.push(call)
    return claims
  },
  savepoint: async () => {
    marks.push('mark')
    connection.script('savepoint operation')
  },
  release: async () => {
    marks.push('keep')
    connection.script('release operation')
  },
  rollback: async () => {
    marks.push('undo')
    connection.script('rollback to operation; release operation')
  },
})
const perform = (name: string, input: unknown = {}, given: Partial<Context> = {}) =>
  performIn(session(), operations, { name, input, context: contextWith({ now, ...given }) })
const notes = async () => {
  const rows = await connection.build.selectFrom('busy').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}
const events = () => connection.build.selectFrom('event').selectAll().execute()
const call = (given: object = {}) => ({ scope: 'token 1 POST /notes/', key: 'k', hash: 'first', ...given })
const again = (given: object = {}) => ({ idempotency: call(given) })

test('a write gets a savepoint, is performed, logged and released; its outcome is plain data', async () => {
  const outcome = await perform('add', { id: 'a' }, { requestId: 'q1' })
  assert.deepEqual(outcome, { ok: { id: 'a', at: now, by: 'test' } })
  assert.deepEqual(marks, ['mark', 'lock b a', 'keep'])
  assert.deepEqual(await notes(), ['a'])
  const [event, ...more] = await events()
  assert.deepEqual(more, [])
  assert.match(event?.id ?? '', /^evt_/)
  assert.deepEqual(
    [event?.type, event?.object_id, event?.actor_kind, event?.actor_id, event?.request_id, event?.created_at],
    ['customer.created', 'a', 'command', 'test', 'q1', now],
  )
  assert.deepEqual(claimed, [])
})

test('a write without a result returns null', async () => assert.deepEqual(await perform('silent'), { ok: null }))

test('a dry run returns the full result, stores nothing and claims no key', async () => {
  const outcome = await perform('add', { id: 'a' }, { dryRun: true, ...again() })
  assert.deepEqual(outcome, { ok: { id: 'a', at: now, by: 'test' } })
  assert.deepEqual(marks, ['mark', 'lock b a', 'undo'])
  assert.deepEqual([await notes(), await events(), claimed], [[], [], []])
  assert.deepEqual(await perform('add', { id: 'b' }, again()), { ok: { id: 'b', at: now, by: 'test' } })
})

test('a refusal stores only its outcome', async () => {
  assert.deepEqual(await perform('refuse', {}, again()), { refused: full })
  assert.deepEqual(marks, ['mark', 'undo'])
  assert.deepEqual([await notes(), await events()], [[], []])
  assert.deepEqual(await perform('add', { id: 'a' }, again()), { refused: full, replayed: true })
  assert.deepEqual(marks, ['mark', 'undo'])
})

test('a fault stores nothing, and reports its origin', async () => {
  const outcome = await perform('fail', {}, again())
  assert.ok('fault' in outcome)
  assert.equal(outcome.fault, 'internal')
  assert.match(outcome.message, /^TypeError: a mistake\n +at /)
  assert.deepEqual([await notes(), await events(), marks], [[], [], ['mark', 'undo']])
  assert.deepEqual(await perform('add', { id: 'a' }, again()), { ok: { id: 'a', at: now, by: 'test' } })
})

test('a fault has the most specific message available', async () => {
  assert.deepEqual(await perform('failWithText'), { fault: 'internal', message: 'text' })
  assert.deepEqual(fault('unavailable', Object.assign(new Error('gone'), { stack: undefined })), {
    fault: 'unavailable',
    message: 'gone',
  })
})

test('an unknown operation is a fault, also one with the name of an inherited property', async () => {
  for (const name of ['nothing', 'toString']) {
    const outcome = await perform(name)
    assert.match('fault' in outcome ? outcome.message : '', new RegExp(`There is no operation "${name}"\\.`))
  }
})

test('an overlap that only the constraint detects is a refusal', async () => {
  const outcome = await perform('occupied')
  const refused = { code: 'slot_provider_busy', message: { code: 'provider_no_longer_free' } }
  assert.deepEqual(outcome, { refused })
  assert.deepEqual(marks, ['mark', 'undo'])
})

test('an error worth a retry is thrown to the owner of the transaction', async () => {
  await assert.rejects(perform('again'), /deadlock/)
  assert.deepEqual(marks, ['mark'])
})

test('a repeated call returns the first outcome and has no effect', async () => {
  const first = await perform('add', { id: 'a' }, again())
  assert.deepEqual(await perform('add', { id: 'b' }, again()), { ...first, replayed: true })
  assert.deepEqual([await notes(), claimed], [['a'], [call(), call()]])
})

test('a key that was used for another request is refused', async () => {
  await perform('add', { id: 'a' }, again())
  const other = await perform('add', { id: 'b' }, again({ hash: 'other' }))
  assert.deepEqual(other, { refused: refusal('idempotency_key_reused').refused })
  assert.deepEqual(await notes(), ['a'])
})

test('keys of different scopes are independent, and so are different keys', async () => {
  await perform('add', { id: 'a' }, again())
  for (const [id, given] of [
    ['b', { scope: 'other' }],
    ['c', { key: 'other' }],
  ] as const)
    assert.deepEqual(await perform('add', { id }, again(given)), { ok: { id, at: now, by: 'test' } })
})

test('a call whose first call is still running is refused as in progress', async () => {
  claims = false
  const outcome = await perform('add', { id: 'a' }, again())
  assert.deepEqual(outcome, { refused: refusal('idempotency_in_progress').refused })
  assert.deepEqual([await notes(), marks], [[], []])
})

test('an outcome is stored for a day, and then replaced by the next one', async () => {
  const day = 24 * 60 * 60
  await perform('add', { id: 'a' }, again())
  const last = await perform('add', { id: 'b' }, { ...again(), now: now + day - 1 })
  assert.equal('replayed' in last, true)
  const next = { ...again({ hash: 'second' }), now: now + day }
  assert.deepEqual(await perform('add', { id: 'c' }, next), { ok: { id: 'c', at: now + day, by: 'test' } })
  const replayed = { ok: { id: 'c', at: now + day, by: 'test' }, replayed: true }
  assert.deepEqual(await perform('add', { id: 'd' }, next), replayed)
  assert.deepEqual(await perform('add', { id: 'd' }, { ...next, now: now + 2 * day - 1 }), replayed)
})
