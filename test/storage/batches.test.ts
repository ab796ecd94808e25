import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { migrateSqlite } from '../../src/db/migrate.ts'
import type { Write } from '../../src/db/perform/perform.ts'
import { openToWrite, type SqliteConnection } from '../../src/db/sqlite/sqlite.ts'
import { SqliteWrites } from '../../src/db/sqlite/sqlite-writes.ts'
import { open } from '../../src/server/open.ts'
import { contextWith } from '../support/databases.ts'
import { operations, operationsAt, type TestCommands } from './test-operations.ts'

test('writes of one commit that fail, refuse or run dry do not affect the others', () =>
  withWrites(async (writes, connection) => {
    const outcomes = await writes.perform([
      write('add', 'a'),
      write('fail', 'b'),
      write('add', 'c'),
      write('refuse', 'd'),
      write('failInSql', 'e'),
      { ...write('add', 'f'), context: contextWith({ dryRun: true }) },
      write('add', 'g'),
    ])
    assert.deepEqual(outcomes.map(kindOf), ['ok', 'internal', 'ok', 'refused', 'internal', 'ok', 'ok'])
    assert.deepEqual(await notes(connection), ['a', 'c', 'g'])
  }))

test('a call with a key that occurs twice in one commit is one write', () =>
  withWrites(async (writes, connection) => {
    const context = contextWith({ idempotency: { scope: 's', key: 'k', hash: 'h' } })
    const outcomes = await writes.perform([
      { ...write('add', 'a'), context },
      { ...write('add', 'a'), context },
    ])
    assert.deepEqual(outcomes, [{ ok: { id: 'a' } }, { ok: { id: 'a' }, replayed: true }])
    assert.deepEqual(await notes(connection), ['a'])
  }))

test('when SQLite drops the transaction, every write of that commit fails, and the next commit works', () =>
  withWrites(async (writes, connection) => {
    const outcomes = await writes.perform([write('add', 'a'), write('loseTransaction', ''), write('add', 'b')])
    assert.deepEqual(outcomes.map(kindOf), ['unavailable', 'unavailable', 'unavailable'])
    assert.deepEqual(await notes(connection), [])
    assert.deepEqual(await writes.perform([write('add', 'c')]), [{ ok: { id: 'c' } }])
    assert.deepEqual(await notes(connection), ['c'])
  }))

test('a failed commit fails every write in it', () =>
  withWrites(async (writes, connection) => {
    const outcomes = await writes.perform([write('add', 'a'), write('danglingReference', ''), write('add', 'b')])
    assert.deepEqual(outcomes.map(kindOf), ['unavailable', 'unavailable', 'unavailable'])
    assert.deepEqual(await notes(connection), [])
    assert.deepEqual((await writes.perform([write('add', 'c')])).map(kindOf), ['ok'])
  }))

test('on a full disk writes are unavailable, reads continue, and writes resume once there is space', () =>
  withWrites(async (writes, connection) => {
    await writes.perform([write('add', 'before')])
    connection.script('pragma max_page_count = 60')
    const text = 'x'.repeat(2000)
    const kept = ['before']
    let refusals = 0
    for (let i = 0; i < 100; i++) {
      const [outcome] = await writes.perform([{ ...write('silent', `n${i}`), input: { id: `n${i}`, text } }])
      if (kindOf(outcome) === 'ok') kept.push(`n${i}`)
      else refusals += 1
      assert.match(kindOf(outcome), /^(ok|unavailable)$/)
    }
    assert.ok(refusals > 0)
    assert.deepEqual(await notes(connection), kept.sort())
    connection.script('pragma max_page_count = 100000')
    assert.deepEqual((await writes.perform([write('add', 'after')])).map(kindOf), ['ok'])
  }))

test('storage without a thread returns the same and groups commits', () =>
  withFolder(async (dataDir) => {
    const { perform, db, close } = await open<TestCommands>({
      at: { dataDir },
      operations: operationsAt,
      thread: false,
    })
    const calls = ['a', 'b', 'c'].map((id) => perform('add', { id }, contextWith()))
    assert.deepEqual(await Promise.all(calls), [{ ok: { id: 'a' } }, { ok: { id: 'b' } }, { ok: { id: 'c' } }])
    assert.equal((await db.build.selectFrom('busy').select('id').execute()).length, 3)
    await close()
  }))

test('closing storage completes earlier writes, and refuses later ones', () =>
  withFolder(async (dataDir) => {
    const { perform, close } = await open<TestCommands>({ at: { dataDir }, operations: operationsAt })
    const calls = Array.from({ length: 300 }, (_, i) => perform('add', { id: `n${i}` }, contextWith()))
    await close()
    assert.deepEqual(new Set((await Promise.all(calls)).map(kindOf)), new Set(['ok']))
    assert.equal(kindOf(await perform('add', { id: 'late' }, contextWith())), 'unavailable')
  }))

test('a writer thread that ends fails its pending writes, and is replaced', () =>
  withFolder(async (dataDir) => {
    const { perform, db, close } = await open<TestCommands>({ at: { dataDir }, operations: operationsAt })
    const [lost, beside] = await Promise.all([
      perform('endThread', {}, contextWith()),
      perform('add', { id: 'a' }, contextWith()),
    ])
    assert.deepEqual([kindOf(lost), kindOf(beside)], ['unavailable', 'unavailable'])
    assert.deepEqual(await perform('add', { id: 'b' }, contextWith()), { ok: { id: 'b' } })
    const rows = await db.build.selectFrom('busy').select('id').execute()
    assert.deepEqual(
      rows.map(({ id }) => id),
      ['b'],
    )
    await close()
  }))

function write(name: keyof TestCommands, id: string): Write {
  return { name, input: { id }, context: contextWith() }
}

function kindOf(outcome: object | undefined): string {
  if (outcome && 'fault' in outcome) return String(outcome.fault)
  return outcome && 'refused' in outcome ? 'refused' : 'ok'
}

async function notes(connection: SqliteConnection): Promise<string[]> {
  const rows = await connection.build.selectFrom('busy').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

function withWrites(work: (writes: SqliteWrites, connection: SqliteConnection) => Promise<void>): Promise<void> {
  return withFolder(async (folder) => {
    const connection = openToWrite(join(folder, 'daybook.db'))
    await migrateSqlite(connection, 0)
    const writes = new SqliteWrites(connection, operations)
    await work(writes, connection)
    writes.close()
  })
}

async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-test-'))
  try {
    await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
