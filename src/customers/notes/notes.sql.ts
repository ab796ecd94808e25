import type { Database } from '../../db/database.ts'

/** A note that staff wrote about a customer. */
export interface CustomerNote {
  readonly id: string
  readonly customerId: string
  readonly userId: string
  readonly text: string
  readonly createdAt: number
}

/** Inserts a note about a customer. */
export async function insertNote(db: Database, { id, customerId, userId, text, createdAt }: CustomerNote) {
  const row = { id, customer_id: customerId, person_id: userId, text, created_at: createdAt }
  await db.build.insertInto('customer_note').values(row).execute()
}

/** Returns the note about a customer with the given id; undefined when there is none. */
export async function findNote(db: Database, id: string): Promise<CustomerNote | undefined> {
  const row = await db.build.selectFrom('customer_note').selectAll().where('id', '=', id).executeTakeFirst()
  return row && { id, customerId: row.customer_id, userId: row.person_id, text: row.text, createdAt: row.created_at }
}

/** Returns all notes about a customer, the newest first. A merge can leave more than may be added. */
export async function listNotes(db: Database, customerId: string): Promise<CustomerNote[]> {
  const rows = await db.build
    .selectFrom('customer_note')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    customerId,
    userId: row.person_id,
    text: row.text,
    createdAt: row.created_at,
  }))
}

/** Counts the notes about a customer. */
export async function countNotes(db: Database, customerId: string): Promise<number> {
  const counted = await db.build
    .selectFrom('customer_note')
    .select((e) => e.fn.countAll<number>().as('total'))
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow()
  return Number(counted.total)
}

/** Deletes a note about a customer. */
export async function deleteNote(db: Database, id: string): Promise<void> {
  await db.build.deleteFrom('customer_note').where('id', '=', id).execute()
}
