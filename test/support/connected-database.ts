import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import pg from 'pg'
import { freshDatabase, withoutPooler } from './databases.ts'

/**
 * Creates a PostgreSQL database with a connection to it; both last until the test ends. The connection does not use the
 * pooler, so that its settings and prepared statements last, too.
 */
export async function connectedDatabase(
  t: Pick<TestContext, 'after'>,
): Promise<{ readonly databaseUrl: string; readonly client: pg.Client }> {
  const fresh = await freshDatabase('postgres')
  assert.ok('databaseUrl' in fresh.at)
  const { databaseUrl } = fresh.at
  const client = new pg.Client(await withoutPooler(databaseUrl))
  await client.connect()
  t.after(async () => {
    await client.end()
    await fresh.remove()
  })
  return { databaseUrl, client }
}
