import type { Database } from '../../db/database.ts'
import { policyIn } from '../../db/log/security-log.ts'
import type { SessionTable } from '../../db/query/access-tables.ts'
import { secondFactorDueAt } from '../security-log/security-event.ts'
import { toUser } from '../users/users.sql.ts'
import type { Session, SessionView } from './session.ts'

/**
 * Returns the session whose secret has the given hash, with its user, even if it has expired; undefined for an unknown
 * hash and for a disabled user.
 */
export async function findSessionByHash(db: Database, hash: string): Promise<SessionView | undefined> {
  const row = await db.build
    .selectFrom('session')
    .innerJoin('person', 'person.id', 'session.person_id')
    .selectAll('person')
    .select(['session.id as session_id', 'device', 'address', 'last_seen_at', 'expires_at', 'authenticated_at'])
    .select((row) =>
      row.selectFrom('site').select('second_factor_policy').where('site.id', '=', 1).as('second_factor_policy'),
    )
    .select('session.created_at as session_created_at')
    .where('session.hash', '=', hash)
    .where('person.status', '=', 'active')
    .executeTakeFirst()
  if (!row) return undefined
  const user = toUser(row)
  return {
    id: row.session_id,
    device: row.device,
    address: row.address,
    createdAt: row.session_created_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
    authenticatedAt: row.authenticated_at,
    factorsLiftedAt: row.factors_lifted_at,
    secondFactorDueAt:
      secondFactorDueAt(policyIn(row.second_factor_policy ?? '{}'), {
        role: user.role,
        roleSince: Math.max(row.role_since, row.created_at),
      }) ?? null,
    user,
  }
}

/** Returns device and address of a session; undefined once it has been deleted. */
export async function findSession(db: Database, id: string): Promise<Pick<Session, 'device' | 'address'> | undefined> {
  return await db.build.selectFrom('session').select(['device', 'address']).where('id', '=', id).executeTakeFirst()
}

/** Inserts a session with the hash of its secret. */
export async function insertSession(
  db: Database,
  made: Session,
  of: { readonly userId: string; readonly hash: string },
): Promise<void> {
  await db.build
    .insertInto('session')
    .values({
      hash: of.hash,
      id: made.id,
      person_id: of.userId,
      device: made.device,
      address: made.address,
      created_at: made.createdAt,
      last_seen_at: made.lastSeenAt,
      expires_at: made.expiresAt,
      authenticated_at: made.createdAt,
    })
    .execute()
}

/**
 * Returns a user's sessions that were last used after `seenAfter` and have not expired at `now`, the most recently used
 * first.
 */
export async function listSessions(db: Database, userId: string, seenAfter: number, now: number): Promise<Session[]> {
  const rows = await db.build
    .selectFrom('session')
    .selectAll()
    .where('person_id', '=', userId)
    .where('last_seen_at', '>', seenAfter)
    .where('expires_at', '>', now)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(toSession)
}

/**
 * Returns the ids of the sessions among the given ones that were last used after `seenAfter` and have not expired at
 * `now`.
 */
export async function findLiving(
  db: Database,
  ids: readonly string[],
  { seenAfter, now }: { readonly seenAfter: number; readonly now: number },
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db.build
    .selectFrom('session')
    .select('id')
    .where('id', 'in', ids)
    .where('last_seen_at', '>', seenAfter)
    .where('expires_at', '>', now)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Stores the time of a session's last use, unless a later one is stored. */
export async function touchSession(db: Database, id: string, at: number): Promise<void> {
  await db.build
    .updateTable('session')
    .set({ last_seen_at: at })
    .where('id', '=', id)
    .where('last_seen_at', '<', at)
    .execute()
}

/**
 * Stores the time at which the user proved their identity in a session; returns false when the session has been
 * deleted.
 */
export async function updateAuthenticated(db: Database, id: string, at: number): Promise<boolean> {
  const query = db.build.updateTable('session').set({ authenticated_at: at }).where('id', '=', id)
  return Number((await query.executeTakeFirst()).numUpdatedRows) > 0
}

/** Replaces the hash of a session's secret; returns false when the session no longer has the hash `from`. */
export async function replaceSessionHash(
  db: Database,
  id: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<boolean> {
  const query = db.build.updateTable('session').set({ hash: to }).where('id', '=', id).where('hash', '=', from)
  return Number((await query.executeTakeFirst()).numUpdatedRows) > 0
}

/** Deletes one session of a user, all but one, or all; returns the number deleted. */
export async function deleteSessions(
  db: Database,
  userId: string,
  which: { readonly only: string } | { readonly but: string } | 'all',
): Promise<number> {
  let query = db.build.deleteFrom('session').where('person_id', '=', userId)
  if (which !== 'all') query = 'only' in which ? query.where('id', '=', which.only) : query.where('id', '<>', which.but)
  return Number((await query.executeTakeFirst()).numDeletedRows)
}

function toSession(row: SessionTable): Session {
  return {
    id: row.id,
    device: row.device,
    address: row.address,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
  }
}
