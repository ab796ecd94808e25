import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { deleteBatch } from '../../db/query/delete-batch.ts'

const maxEach = 20

/**
 * Whether the browser whose device cookie has the given hash is recorded as one with which the user with a normalised
 * e-mail address (see `emailKey`) has signed in; expired records do not count.
 */
export async function isKnownDevice(
  db: Database,
  { hash, emailKey, now }: { readonly hash: string; readonly emailKey: string; readonly now: number },
): Promise<boolean> {
  const row = await db.build
    .selectFrom('known_device')
    .innerJoin('person', 'person.id', 'known_device.person_id')
    .select('known_device.hash')
    .where('person.email_key', '=', emailKey)
    .where('known_device.hash', '=', hash)
    .where('known_device.expires_at', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Records that a user signed in with a browser, and deletes all but the user's 20 most recently used browsers. Returns
 * true when this browser was unknown although other browsers of the user were known.
 */
export async function rememberDevice(
  db: Database,
  { hash, userId, now, expiresAt }: { hash: string; userId: string; now: number; expiresAt: number },
): Promise<boolean> {
  const known = await db.build
    .selectFrom('known_device')
    .select('hash')
    .where('person_id', '=', userId)
    .where('expires_at', '>', now)
    .execute()
  await db.build
    .insertInto('known_device')
    .values({ hash, person_id: userId, created_at: now, last_used_at: now, expires_at: expiresAt })
    .onConflict((conflict) =>
      conflict.columns(['person_id', 'hash']).doUpdateSet({ last_used_at: now, expires_at: expiresAt }),
    )
    .execute()
  const kept = db.build
    .selectFrom('known_device')
    .select('hash')
    .where('person_id', '=', userId)
    .orderBy('last_used_at', 'desc')
    .orderBy('hash')
    .limit(maxEach)
  await db.build.deleteFrom('known_device').where('person_id', '=', userId).where('hash', 'not in', kept).execute()
  return known.length > 0 && !known.some((device) => device.hash === hash)
}

/** Deletes all known browsers of a user, except the one whose device cookie has the hash `but`. */
export async function forgetDevices(db: Database, userId: string, but = ''): Promise<void> {
  await db.build.deleteFrom('known_device').where('person_id', '=', userId).where('hash', '<>', but).execute()
}

/** Deletes at most `limit` expired records of known browsers; returns the number deleted. */
export function deleteExpiredDevices(db: Database, now: number, limit: number): Promise<number> {
  return deleteBatch(db, 'known_device', { key: ['person_id', 'hash'], where: sql`expires_at <= ${now}`, limit })
}
