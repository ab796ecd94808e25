import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { open } from '../../src/server/open.ts'
import { contextWith, type DatabaseKind, databasesHere, freshDatabase } from '../support/databases.ts'
import { openSql } from '../support/sql.ts'
import { operationsAt, type TestCommands } from './test-operations.ts'

const payment = `insert into payment (id, customer_id, amount, currency, state, expires_at, created_at, updated_at)
  values ('pay_1', 'c_1', 100, 'EUR', 'paid', 0, 0, 0)`
const writtenEvent = `insert into calendar_event (reservation_id, provider_id, account_id, calendar, item, uid)
  values ('r_1', 1, 'cac_1', 'work', 'r_1.ics', 'r_1@clinic.example')`
const running = "insert into event_consumer (name, tx, n) values ('payments', 0, 0)"

/** What an upgrade does to the consumers, the rows of the site before it, and the consumers after it. */
const upgrades: readonly (readonly [what: string, rows: readonly string[], names: readonly string[]])[] = [
  ['starts that of payments after the newest event, if there are payments', [payment], ['payments']],
  ['starts that of calendars after the newest event, if there are written events', [writtenEvent], ['calendars']],
  ['starts both, if there are both', [writtenEvent, payment], ['calendars', 'payments']],
  ['starts none, if there is neither', [], []],
]

for (const { kind, skip } of await databasesHere())
  describe(`the upgrade of a site whose consumers of the event log were stopped, on ${kind}`, { skip }, () => {
    for (const [what, rows, names] of upgrades)
      test(what, async () => {
        const { consumers, newest } = await upgraded(kind, rows)
        assert.deepEqual(
          consumers,
          names.map((name) => ({ name, ...newest })),
        )
      })

    test('leaves one that runs where it is', async () => {
      const { consumers, newest } = await upgraded(kind, [payment, running])
      assert.deepEqual(consumers, [{ name: 'payments', tx: 0, n: 0 }])
      assert.notEqual(newest.tx, 0)
    })
  })

/**
 * Applies migration 0158 to a database with four events and rows that these statements insert; returns the consumers of
 * the event log and the position of the newest event.
 */
async function upgraded(kind: DatabaseKind, statements: readonly string[]) {
  const fresh = await freshDatabase(kind)
  try {
    const options = { at: fresh.at, operations: operationsAt, thread: false }
    const before = await open<TestCommands>(options)
    for (const objectId of ['c_1', 'c_2'])
      await before.perform('announce', { objectId, types: ['customer.created', 'customer.updated'] }, contextWith())
    await before.close()
    const sql = openSql({ dataDir: '', ...fresh.at })
    for (const statement of [...statements, "delete from migration where name = '0158'"]) await sql(statement)
    await sql.close()
    const after = await open<TestCommands>(options)
    const { build } = after.db
    const consumers = await build.selectFrom('event_consumer').selectAll().orderBy('name').execute()
    const events = build.selectFrom('event').select(['tx', 'n']).orderBy('tx', 'desc').orderBy('n', 'desc')
    const newest = await events.limit(1).executeTakeFirstOrThrow()
    const { migrated } = after
    await after.close()
    assert.deepEqual(migrated, ['0158'])
    return { consumers, newest }
  } finally {
    await fresh.remove()
  }
}
