import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/**
 * Clears what would let somebody in again who was shut out after a backup was made: sessions, one-time links, browsers
 * that are known, passkeys, second factors that were not confirmed, and passwords. Each person then needs a new link.
 */
export async function clearAccess(db: Database): Promise<void> {
  const { build } = db
  for (const table of ['session', 'person_link', 'set_up_link', 'known_device', 'passkey'] as const) {
    await build.deleteFrom(table).execute()
  }
  await build.deleteFrom('totp').where('confirmed_at', 'is', null).execute()
  await build.updateTable('person').set({ password_hash: null }).execute()
}

/** The administrator who has been here for longest and is not disabled. */
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

/** The ids of API tokens that are out of use. */
export async function listRevokedTokens(db: Database): Promise<string[]> {
  const rows = await db.build.selectFrom('token').select('id').where('revoked_at', 'is not', null).execute()
  return rows.map(({ id }) => id)
}

/** Takes these API tokens out of use; says how many were in use. */
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

/** How many API tokens are in use. */
export async function countTokens(db: Database): Promise<number> {
  const row = await db.build
    .selectFrom('token')
    .select(sql<number>`count(*)`.as('count'))
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}
