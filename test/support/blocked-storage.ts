import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import pg from 'pg'
import type { Operations } from '../../src/operations.ts'
import { freshDatabase, openStorage, withoutPooler } from './databases.ts'

const operations = new URL('../../src/operations.ts', import.meta.url)

/**
 * Opens a fresh PostgreSQL database, in which an `InsertLock` may block inserts, with one more connection: `observer`
 * counts the operations that wait for locks (see `waitingForLocks`). All are closed at the end of the test.
 */
export async function openBlockedStorage(t: TestContext) {
  const fresh = await freshDatabase('postgres')
  const { databaseUrl } = 'databaseUrl' in fresh.at ? fresh.at : assert.fail()
  const storage = await openStorage<Operations>({ at: fresh.at, operations })
  const observer = new pg.Client(await withoutPooler(databaseUrl))
  t.after(async () => {
    await Promise.all([observer.end(), storage.close()])
    await fresh.remove()
  })
  await observer.connect()
  return { storage, databaseUrl, observer }
}
