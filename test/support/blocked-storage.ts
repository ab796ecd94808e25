import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import pg from 'pg'
import type { Operations } from '../../src/operations.ts'
import { freshDatabase, openStorage, withoutPooler } from './databases.ts'

const operations = new URL('../../src/operations.ts', import.meta.url)

/**
 * Opens a fresh PostgreSQL database with two more connections: `blocker` takes locks for which operations wait, and
 * `observer` counts the waiting ones (see `waitingForLocks`). All are closed at the end of the test.
 */
export async function openBlockedStorage(t: TestContext) {
  const fresh = await freshDatabase('postgres')
  const { databaseUrl } = 'databaseUrl' in fresh.at ? fresh.at : assert.fail()
  const storage = await openStorage<Operations>({ at: fresh.at, operations })
  const url = await withoutPooler(databaseUrl)
  const [blocker, observer] = [new pg.Client(url), new pg.Client(url)]
  t.after(async () => {
    await Promise.all([blocker.end(), observer.end(), storage.close()])
    await fresh.remove()
  })
  await Promise.all([blocker.connect(), observer.connect()])
  return { storage, blocker, observer }
}
