import type { Database } from '../../db/database.ts'

/** Stores a logo; storing the same content again changes nothing. */
export async function insertLogo(db: Database, id: string, content: Uint8Array, now: number): Promise<void> {
  await db.build
    .insertInto('site_logo')
    .values({ id, content: Buffer.from(content).toString('base64'), created_at: now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** Returns the content of a logo; undefined for an unknown id. */
export async function findLogo(db: Database, id: string): Promise<Uint8Array | undefined> {
  const row = await db.build.selectFrom('site_logo').select('content').where('id', '=', id).executeTakeFirst()
  return row && Buffer.from(row.content, 'base64')
}
