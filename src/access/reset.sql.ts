import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/**
 * Clears the credentials that a backup contains: sessions, one-time links, known browsers, passkeys, unconfirmed
 * authenticator apps and passwords. Each user then needs a new link.
 */
export async function clearAccess(db: Database): Promise<void> {
  const { build } = db
  for (const table of ['session', 'person_link', 'set_up_link', 'known_device', 'passkey'] as const) {
    await build.deleteFrom(table).execute()
  }
  await build.deleteFrom('totp').where('confirmed_at', 'is', null).execute()
  await build.updateTable('person').set({ password_hash: null }).execute()
}

/** Returns the oldest administrator who is not disabled; undefined when there is none. */
export async function findFirstAdministrator(
  db: Database,
): Promise<{ readonly id: string; readonly email: string } | undefined> {
  return db.build
    .selectFrom('person')
    .select(['id', 'email'])
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** Returns the ids of revoked API tokens. */
export async function listRevokedTokens(db: Database): Promise<string[]> {
  const rows = await db.build.selectFrom('token').select('id').where('revoked_at', 'is not', null).execute()
  return rows.map(({ id }) => id)
}

/** Revokes the API tokens with the given ids; returns the number of tokens that were not revoked before. */
export async function revokeTokens(db: Database, ids: readonly string[], now: number): Promise<number> {
  if (ids.length === 0) return 0
  const result = await db.build
    .updateTable('token')
    .set({ revoked_at: now })
    .where('id', 'in', ids)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** Returns the number of API tokens that are neither revoked nor expired at `now`. */
export async function countTokens(db: Database, now: number): Promise<number> {
  const row = await db.build
    .selectFrom('token')
    .select(sql<number>`count(*)`.as('count'))
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}
