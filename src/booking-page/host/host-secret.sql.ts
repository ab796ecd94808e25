import type { Database } from '../../db/database.ts'

/** The encrypted secret with which the host site (the owner's website) signs tokens for its users. */
export interface StoredHostSecret {
  readonly sealed: string
  readonly createdAt: number
}

/** Returns the encrypted secret of the host site; undefined when there is none. */
export async function findHostSecret(db: Database): Promise<StoredHostSecret | undefined> {
  const row = await db.build.selectFrom('host_secret').selectAll().executeTakeFirst()
  return row && { sealed: row.sealed, createdAt: row.created_at }
}

/** Stores the encrypted secret of the host site, replacing an earlier one. */
export async function saveHostSecret(db: Database, { sealed, createdAt }: StoredHostSecret): Promise<void> {
  const row = { sealed, created_at: createdAt }
  await db.build
    .insertInto('host_secret')
    .values({ id: 'site', ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}

/** Deletes the secret of the host site. */
export async function deleteHostSecret(db: Database): Promise<void> {
  await db.build.deleteFrom('host_secret').execute()
}
