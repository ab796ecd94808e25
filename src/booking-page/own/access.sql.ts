import type { Database } from '../../db/database.ts'

/** Access to "My bookings" for an e-mail address: by a link in a mail, or by a browser in which the link was opened. */
export interface BookingsAccess {
  readonly kind: 'link' | 'browser'
  readonly emailKey: string
  readonly expiresAt: number
}

/**
 * Returns the access to "My bookings" whose secret has the given hash; undefined when there is none or it has expired.
 */
export async function findAccess(
  db: Database,
  kind: BookingsAccess['kind'],
  hash: string,
  now: number,
): Promise<BookingsAccess | undefined> {
  const row = await db.build
    .selectFrom('bookings_access')
    .selectAll()
    .where('hash', '=', hash)
    .where('kind', '=', kind)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row && { kind, emailKey: row.email_key, expiresAt: row.expires_at }
}

/** Stores an access to "My bookings" with the hash of its secret. */
export async function insertAccess(
  db: Database,
  { kind, emailKey, expiresAt }: BookingsAccess,
  { hash, now }: { readonly hash: string; readonly now: number },
): Promise<void> {
  await db.build
    .insertInto('bookings_access')
    .values({ hash, kind, email_key: emailKey, created_at: now, expires_at: expiresAt })
    .execute()
}

/** Deletes the access to "My bookings" whose secret has the given hash, if there is one. */
export async function deleteAccess(db: Database, hash: string): Promise<void> {
  await db.build.deleteFrom('bookings_access').where('hash', '=', hash).execute()
}

/**
 * Returns the number of accesses of an e-mail address that were created after `after` (Unix seconds), including expired
 * ones.
 */
export async function countAccesses(db: Database, emailKey: string, after: number): Promise<number> {
  const row = await db.build
    .selectFrom('bookings_access')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('email_key', '=', emailKey)
    .where('created_at', '>', after)
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}
