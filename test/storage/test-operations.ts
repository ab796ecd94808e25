import { sql } from 'kysely'
import type { Operation, OperationTable, Tx } from '../../src/db/perform/app.ts'
import { prepared } from '../../src/db/query/prepared.ts'
import type { BusyTable, OccupancyTable } from '../../src/db/query/tables.ts'
import type { EventType } from '../../src/history/event.ts'
import { message } from '../../src/messages/message.ts'
import { Refusal } from '../../src/messages/refusal.ts'

// Operations without the product's logic, so that a test exercises only how writes are performed.

export interface Note {
  readonly id: string
  readonly text?: string
}

async function insert(tx: Tx, { id, text = '' }: Note): Promise<void> {
  const row = { id, provider_id: 1, source: 'time_off', start_at: tx.now, end_at: tx.now + 1, note: text }
  await tx.db.build.insertInto('busy').values(row).execute()
}

const add: Operation<Note, Note> = async (tx, note) => {
  await insert(tx, note)
  await tx.append({ type: 'customer.created', objectId: note.id, object: { id: note.id }, previous: null })
  return note
}

const refuse: Operation<Note, void> = async (tx, note) => {
  await add(tx, note)
  throw new Refusal({ code: 'slot_full', message: message('slot_full'), details: { start: message('slot_full') } })
}

const fail: Operation<Note, void> = async (tx, note) => {
  await add(tx, note)
  throw new TypeError('a mistake in an operation')
}

const failInSql: Operation<Note, void> = async (tx, note) => {
  await add(tx, note)
  await insert(tx, note)
}

const silent: Operation<Note, void> = async (tx, note) => {
  await insert(tx, note)
}

const announce: Operation<{ objectId: string; types: readonly EventType[] }, void> = async (
  tx,
  { objectId, types },
) => {
  for (const type of types) await tx.append({ type, objectId, object: { type }, previous: { objectId } })
}

const eraseEvents: Operation<object, void> = async (tx) => {
  await tx.db.build.updateTable('event').set({ body: null, salt: null }).execute()
}

/** Replaces all rows of the table `busy`. */
const setBusy: Operation<{ rows: readonly BusyTable[] }, void> = async (tx, { rows }) => {
  await tx.db.build.deleteFrom('busy').execute()
  if (rows.length > 0) await tx.db.build.insertInto('busy').values(rows).execute()
}

const occupy: Operation<OccupancyTable, void> = async (tx, row) => {
  await tx.db.build.insertInto('occupancy').values(row).execute()
}

const moveOccupancy: Operation<{ id: string; end: number }, void> = async (tx, { id, end }) => {
  await tx.db.build.updateTable('occupancy').set({ end_at: end }).where('id', '=', id).execute()
}

/** Reads a value and writes the value plus one: concurrent calls lose an update unless the keys serialise them. */
const count: Operation<{ keys: readonly string[] }, { count: number }> = async (tx, { keys }) => {
  await tx.lock(keys)
  const counted = await tx.db.build
    .selectFrom('assignment')
    .select('count')
    .where('service_id', '=', 'counter')
    .executeTakeFirst()
  const next = (counted?.count ?? 0) + 1
  const row = { service_id: 'counter', provider_id: 1, count: next, last_at: tx.now, turn: next }
  await tx.db.build
    .insertInto('assignment')
    .values(row)
    .onConflict((conflict) => conflict.columns(['service_id', 'provider_id']).doUpdateSet({ count: next }))
    .execute()
  return { count: next }
}

/** Locks keys one by one in the given order, so that concurrent calls with different orders can deadlock. */
const lockInTurn: Operation<{ keys: readonly string[] }, void> = async (tx, { keys }) => {
  for (const key of keys) await tx.lock([key])
}

/** Fails with an error of PostgreSQL, and counts its attempts in the sequence `attempt`, which no rollback resets. */
const failWithState: Operation<{ state: string }, void> = async (tx, { state }) => {
  await sql`select nextval('attempt')`.execute(tx.db.build)
  await sql.raw(`do $$ begin raise sqlstate '${state}'; end $$`).execute(tx.db.build)
}

const pretendMigrated: Operation<{ name: string }, void> = async (tx, { name }) => {
  await tx.db.build.insertInto('migration').values({ name, applied_at: tx.now }).execute()
}

/** A query that PostgreSQL prepares under a name, and whose columns change when a migration adds one to the table. */
export const busyOf = prepared<{ readonly provider: number }, BusyTable>((db, p) =>
  db.selectFrom('busy').selectAll().where('provider_id', '=', p.provider),
)

/** Adds a row, and returns the number of rows that `busyOf` finds then. */
const addAndCount: Operation<Note, number> = async (tx, note) => {
  await tx.db.run(busyOf, { provider: 1 })
  await insert(tx, note)
  return (await tx.db.run(busyOf, { provider: 1 })).length
}

/** Ends the transaction, as SQLite does by itself when the disk is full. */
const loseTransaction: Operation<object, void> = async (tx) => {
  await sql`rollback`.execute(tx.db.build)
  throw new Error('database or disk is full')
}

/** Inserts a row that violates foreign keys, which are checked only at the commit, so that the commit fails. */
const danglingReference: Operation<object, void> = async (tx) => {
  await sql`pragma defer_foreign_keys = on`.execute(tx.db.build)
  const row = { provider_id: 99, service_id: 's_none', settings: '{}', data: '{}' }
  await tx.db.build.insertInto('provider_service').values(row).execute()
}

/** Ends the writer thread in the middle of a transaction, as running out of memory would. */
const endThread: Operation<object, void> = async () => {
  process.exit(1)
}

const identifiers: Operation<object, string[]> = async (tx) => [tx.newId('reservation'), tx.newId('reservation')]

export const operations = {
  add,
  refuse,
  fail,
  failInSql,
  silent,
  announce,
  eraseEvents,
  setBusy,
  occupy,
  moveOccupancy,
  count,
  lockInTurn,
  failWithState,
  pretendMigrated,
  addAndCount,
  loseTransaction,
  danglingReference,
  endThread,
  identifiers,
} satisfies OperationTable

export type TestCommands = typeof operations
export const operationsAt = new URL(import.meta.url)
