import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { blockedTimes } from '../../src/availability/plan.sql.ts'
import type { Database, ReadDatabase } from '../../src/db/database.ts'
import { openToRead, type SqliteConnection } from '../../src/db/sqlite/sqlite.ts'
import { type OpenStorage, open } from '../../src/server/open.ts'
import { contextWith } from '../support/databases.ts'
import { hangLimit } from '../support/scale.ts'
import { operationsAt, type TestCommands } from './test-operations.ts'

/**
 * Every way to read the database, by name; each function returns the number of rows that it finds in the table `busy`.
 */
const readings: Readonly<Record<string, (db: ReadDatabase) => Promise<number>>> = {
  'a prepared query': prepared,
  'a query': count,
  'a snapshot': (db) => db.snapshot(count),
  'a stream': async (db) => (await Array.fromAsync(db.stream(allNotes(db)))).flat().length,
  'a long snapshot': (db) => db.longSnapshot(count),
}

describe('a commit that is visible to other connections', () => {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-test-'))
  const appliedAt: string[] = []
  let opened: OpenStorage<TestCommands>
  let reader: SqliteConnection
  before(async () => {
    const onInvalidation = () => appliedAt.push('invalidated')
    opened = await open<TestCommands>({
      at: { dataDir: folder },
      operations: operationsAt,
      onInvalidation: onInvalidation,
    })
    reader = openToRead(join(folder, 'daybook.db'))
  })
  after(async () => {
    reader.close()
    await opened.close()
    rmSync(folder, { recursive: true, force: true })
  })

  for (const [name, read] of Object.entries(readings))
    test(`is visible in ${name} once it was applied and its writer answered`, async () => {
      const { perform, db } = opened
      const before = seen()
      appliedAt.length = 0
      const answered = perform('add', { id: name }, contextWith()).then(() => appliedAt.push('answered'))
      // The write has been sent to the writer thread by now. Until the next `await`, this thread does not yield to the
      // event loop, so it receives no message from the writer.
      await setImmediate()
      const end = performance.now() + hangLimit
      while (seen() === before) assert.ok(performance.now() < end, 'Nothing was committed.')
      assert.deepEqual(appliedAt, [])
      assert.equal(await read(db), before + 1)
      assert.deepEqual(appliedAt, ['invalidated', 'answered'])
      await answered
    })

  test('is applied after its response, without waiting', async () => {
    await opened.perform('add', { id: 'last' }, contextWith())
    assert.equal(opened.db.caughtUp(), undefined)
  })

  function seen(): number {
    return reader.execute(allNotes(reader)).rows.length
  }
})

function allNotes({ build }: Database) {
  return build.selectFrom('busy').select('id').compile()
}

async function prepared(db: Database): Promise<number> {
  return (await db.run(blockedTimes, { providers: [1], from: 0, until: Number.MAX_SAFE_INTEGER, except: '' })).length
}

async function count(db: Database): Promise<number> {
  return (await db.build.selectFrom('busy').select('id').execute()).length
}
