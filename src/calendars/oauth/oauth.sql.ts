import type { Database } from '../../db/database.ts'
import type { Grant, GrantApp, GrantKind } from './oauth.ts'

/** Returns the OAuth client credentials of this site at a calendar system; undefined when there are none. */
export async function findApp(db: Database, kind: GrantKind): Promise<GrantApp | undefined> {
  const row = await db.build.selectFrom('calendar_app').selectAll().where('kind', '=', kind).executeTakeFirst()
  return row && { kind, clientId: row.client_id, sealed: row.secret }
}

/** Stores the OAuth client credentials of this site at a calendar system. */
export async function saveApp(db: Database, { kind, clientId, sealed }: GrantApp): Promise<void> {
  const row = { client_id: clientId, secret: sealed }
  await db.build
    .insertInto('calendar_app')
    .values({ kind, ...row })
    .onConflict((conflict) => conflict.column('kind').doUpdateSet(row))
    .execute()
}

/** Deletes the OAuth client credentials of this site at a calendar system. */
export async function deleteApp(db: Database, kind: GrantKind): Promise<void> {
  await db.build.deleteFrom('calendar_app').where('kind', '=', kind).execute()
}

/** Stores an OAuth sign-in that has begun. */
export async function insertGrant(db: Database, grant: Grant): Promise<void> {
  await db.build
    .insertInto('calendar_grant')
    .values({
      ...{ state_hash: grant.stateHash, person_id: grant.userId, kind: grant.kind, provider_id: grant.providerId },
      ...{ account_id: grant.accountId, secret: grant.sealed, expires_at: grant.expiresAt },
    })
    .execute()
}

/** Returns the OAuth sign-in with the given hash of `state`, even if it has expired; undefined when there is none. */
export async function findGrant(db: Database, stateHash: string): Promise<Grant | undefined> {
  const row = await db.build
    .selectFrom('calendar_grant')
    .selectAll()
    .where('state_hash', '=', stateHash)
    .executeTakeFirst()
  return (
    row && {
      ...{ stateHash: row.state_hash, userId: row.person_id, kind: row.kind as GrantKind },
      ...{ providerId: row.provider_id, accountId: row.account_id, sealed: row.secret, expiresAt: row.expires_at },
    }
  )
}

/** Deletes an OAuth sign-in, and all sign-ins that have expired. */
export async function deleteGrants(db: Database, stateHash: string, now: number): Promise<void> {
  await db.build
    .deleteFrom('calendar_grant')
    .where((row) => row.or([row('state_hash', '=', stateHash), row('expires_at', '<=', now)]))
    .execute()
}
