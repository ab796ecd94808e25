import { sql } from 'kysely'
import { emailKey } from '../../customers/customer.ts'
import type { Database } from '../../db/database.ts'
import type { UserTable } from '../../db/query/access-tables.ts'
import type { SecurityKind } from '../security-log/security-event.ts'
import type { User, UserRole } from './user.ts'

/** Returns the id of the user with the given e-mail address, regardless of case; undefined when there is none. */
export async function findUserId(db: Database, email: string): Promise<string | undefined> {
  const row = await db.build
    .selectFrom('person')
    .select('id')
    .where('email_key', '=', emailKey(email))
    .executeTakeFirst()
  return row?.id
}

/** Inserts a user; a user without a password hash needs a link to set a password. */
export async function insertUser(
  db: Database,
  made: User,
  { passwordHash, now }: { readonly passwordHash: string | null; readonly now: number },
): Promise<void> {
  await db.build
    .insertInto('person')
    .values({
      id: made.id,
      email: made.email,
      email_key: emailKey(made.email),
      role: made.role,
      provider_id: made.providerId,
      name: made.name,
      password_hash: passwordHash,
      status: made.status,
      created_at: now,
      updated_at: now,
      role_since: now,
      factors_lifted_at: null,
    })
    .execute()
}

/** Inserts a link with which the user can set a password once, until it expires. */
export async function insertUserLink(
  db: Database,
  link: {
    readonly hash: string
    readonly userId: string
    readonly createdAt: number
    readonly expiresAt: number
    readonly liftSecondFactor: boolean
  },
): Promise<void> {
  await db.build
    .insertInto('person_link')
    .values({
      hash: link.hash,
      person_id: link.userId,
      purpose: 'set_password',
      created_at: link.createdAt,
      expires_at: link.expiresAt,
      used_at: null,
      lift_second_factor: link.liftSecondFactor ? 1 : 0,
    })
    .execute()
}

/** A user of the panel with the hash of the password. */
export interface UserRecord {
  readonly user: User
  /** The hash of the user's password; null while no password is set. */
  readonly passwordHash: string | null
  readonly createdAt: number
}

/** Returns the user with the given id; undefined when there is none. */
export async function findUser(db: Database, id: string): Promise<UserRecord | undefined> {
  const row = await db.build.selectFrom('person').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toKnown(row)
}

/** Returns the users who are linked to a provider. */
export async function listUsersOfProvider(db: Database, providerId: number): Promise<User[]> {
  const rows = await db.build.selectFrom('person').selectAll().where('provider_id', '=', providerId).execute()
  return rows.map(toUser)
}

/** Returns the user with the given e-mail address, regardless of case; undefined when there is none. */
export async function findUserByEmail(db: Database, email: string): Promise<UserRecord | undefined> {
  const row = await db.build
    .selectFrom('person')
    .selectAll()
    .where('email_key', '=', emailKey(email))
    .executeTakeFirst()
  return row && toKnown(row)
}

/** Whether an active administrator other than the user `but` exists. */
export async function hasAdministrator(db: Database, but = ''): Promise<boolean> {
  const row = await activeAdministrators(db).select('id').where('id', '<>', but).limit(1).executeTakeFirst()
  return row !== undefined
}

/** Returns a query for the active administrators, whose columns the caller selects. */
export function activeAdministrators(db: Database) {
  return db.build.selectFrom('person').where('role', '=', 'admin').where('status', '=', 'active')
}

/** Updates a user; the e-mail address is immutable. */
export async function updateUser(db: Database, user: User, now: number): Promise<void> {
  await db.build
    .updateTable('person')
    .set({
      name: user.name,
      role: user.role,
      // In an UPDATE, `role` on the right-hand side is the previous value, although the same statement changes it.
      role_since: sql<number>`case when role = ${user.role} then role_since else cast(${now} as bigint) end`,
      provider_id: user.providerId,
      status: user.status,
      updated_at: now,
    })
    .where('id', '=', user.id)
    .execute()
}

/** Stores the hash of a user's password. */
export async function updatePassword(db: Database, id: string, hash: string, now: number): Promise<void> {
  await db.build.updateTable('person').set({ password_hash: hash, updated_at: now }).where('id', '=', id).execute()
}

/**
 * Stores the Unix time at which a one-time link removed a user's second factors; null once the user has dismissed the
 * notice about the removal.
 */
export async function updateFactorsLifted(db: Database, id: string, at: number | null): Promise<void> {
  await db.build.updateTable('person').set({ factors_lifted_at: at }).where('id', '=', id).execute()
}

/** Deletes a user; cascading foreign keys delete the user's links, sessions, second factors, browsers and language. */
export async function deleteUser(db: Database, id: string): Promise<void> {
  await db.build.deleteFrom('person').where('id', '=', id).execute()
}

/**
 * Returns the user of a one-time link and whether the link removes second factors; undefined when the link is unknown,
 * used or expired.
 */
export async function findLink(
  db: Database,
  hash: string,
  now: number,
): Promise<{ readonly userId: string; readonly liftSecondFactor: boolean } | undefined> {
  const row = await db.build
    .selectFrom('person_link')
    .select(['person_id', 'lift_second_factor'])
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row && { userId: row.person_id, liftSecondFactor: row.lift_second_factor === 1 }
}

/** Invalidates every unused one-time link of a user. */
export async function voidLinks(db: Database, userId: string, now: number): Promise<void> {
  await db.build
    .updateTable('person_link')
    .set({ used_at: now })
    .where('person_id', '=', userId)
    .where('used_at', 'is', null)
    .execute()
}

/** Stores a link with which the first administrator is created, and deletes links that have expired. */
export async function insertSetUpLink(
  db: Database,
  link: { readonly hash: string; readonly createdAt: number; readonly expiresAt: number },
): Promise<void> {
  await db.build.deleteFrom('set_up_link').where('expires_at', '<=', link.createdAt).execute()
  await db.build
    .insertInto('set_up_link')
    .values({ hash: link.hash, created_at: link.createdAt, expires_at: link.expiresAt })
    .execute()
}

/** Deletes all links with which the first administrator is created. */
export async function deleteSetUpLinks(db: Database): Promise<void> {
  await db.build.deleteFrom('set_up_link').execute()
}

/** Whether a link with the given hash, with which the first administrator is created, exists and has not expired. */
export async function hasSetUpLink(db: Database, hash: string, now: number): Promise<boolean> {
  const row = await db.build
    .selectFrom('set_up_link')
    .select('hash')
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Returns all users sorted by name, each with the time of the last sign-in in the security history or, if later, of the
 * last request (to within a minute) in a stored session; null when neither is stored.
 */
export async function listUserRecords(db: Database): Promise<(UserRecord & { readonly lastSeenAt: number | null })[]> {
  const rows = await db.build
    .selectFrom('person')
    .selectAll('person')
    .select((row) =>
      row
        .selectFrom('session')
        .select(({ fn }) => fn.max('last_seen_at').as('last'))
        .whereRef('session.person_id', '=', 'person.id')
        .as('last_seen'),
    )
    // Sessions are deleted when they end; the security history records sign-ins for longer.
    .select((row) =>
      row
        .selectFrom('security_event')
        .select('created_at')
        .whereRef('security_event.person_id', '=', 'person.id')
        .where('kind', '=', 'signed_in' satisfies SecurityKind)
        .orderBy('security_event.created_at', 'desc')
        .limit(1)
        .as('last_signed_in'),
    )
    .orderBy('name')
    .orderBy('email_key')
    .execute()
  return rows.map((row) => {
    const times = [row.last_seen, row.last_signed_in].flatMap((time) => (time === null ? [] : [Number(time)]))
    return { ...toKnown(row), lastSeenAt: times.length === 0 ? null : Math.max(...times) }
  })
}

/**
 * Returns the ids and names of the users with the given ids; a user without a name has the e-mail address instead, and
 * unknown ids are omitted.
 */
export async function namesOfUsers(db: Database, ids: readonly string[]): Promise<[id: string, name: string][]> {
  if (ids.length === 0) return []
  const rows = await db.build.selectFrom('person').select(['id', 'name', 'email']).where('id', 'in', ids).execute()
  return rows.map(({ id, name, email }) => [id, name === '' ? email : name])
}

function toKnown(row: UserTable): UserRecord {
  return { user: toUser(row), passwordHash: row.password_hash, createdAt: row.created_at }
}

/** Converts a row of the table `person` to a user. */
export function toUser(row: UserTable): User {
  return {
    id: row.id,
    email: row.email,
    role: row.role as UserRole,
    providerId: row.provider_id,
    name: row.name,
    status: row.status as User['status'],
  }
}
