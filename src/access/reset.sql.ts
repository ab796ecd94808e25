import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { SiteTable } from '../db/query/site-tables.ts'
import type { ReplacedUsers } from './reset-users.ts'
import type { User } from './users/user.ts'
import { activeAdministrators, toUser } from './users/users.sql.ts'

const cleared = [
  'session',
  'person_link',
  'set_up_link',
  'known_device',
  'passkey',
  'bookings_access',
  'calendar_grant',
] as const

/**
 * Clears the credentials that a backup contains: sessions, one-time links, known browsers, passkeys, unconfirmed
 * authenticator apps and passwords; the links and cookies with which customers see their bookings; and sign-ins at
 * calendar systems that were not completed. Each user then needs a new one-time link to set a password.
 */
export async function clearAccess(db: Database): Promise<void> {
  const { build } = db
  for (const table of cleared) await build.deleteFrom(table).execute()
  await build.deleteFrom('totp').where('confirmed_at', 'is', null).execute()
  await build.updateTable('person').set({ password_hash: null }).execute()
}

/** Returns the oldest administrator who is not disabled; undefined when there is none. */
export async function findFirstAdministrator(
  db: Database,
): Promise<{ readonly id: string; readonly email: string } | undefined> {
  return activeAdministrators(db)
    .select(['id', 'email'])
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** The ids of revoked API tokens, calendar feeds and private links of the booking page. */
export interface RevokedSecrets {
  readonly tokens: readonly string[]
  readonly calendarFeeds: readonly string[]
  readonly bookingLinks: readonly string[]
}

/** What a restore takes over from the database that it replaces, so that what was revoked there stays revoked. */
export interface Revocations {
  readonly secrets: RevokedSecrets
  readonly users: ReplacedUsers
  /** The secret of customers' links; absent when the database has no site or its schema has no such secret. */
  readonly links?: LinkSecret
}

/** The secret of customers' links in a database. */
export interface LinkSecret {
  readonly secret: string
  /** The time at which the site was created; it identifies the site. */
  readonly siteCreatedAt: number
  /** The time of the last rotation of a secret of the site; 0 when the event log has none. */
  readonly rotatedAt: number
}

/** Returns the secret of customers' links; undefined in a database without a site or without such a secret. */
export async function findLinkSecret({ build }: Database): Promise<LinkSecret | undefined> {
  // The database may have the schema of an earlier version, which has no column `link_secret`.
  const site: Partial<SiteTable> | undefined = await build.selectFrom('site').selectAll().executeTakeFirst()
  if (site?.link_secret === undefined || site.created_at === undefined) return undefined
  const rotation = await build
    .selectFrom('event')
    .select('created_at')
    .where('type', '=', 'site.secret_rotated')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { secret: site.link_secret, siteCreatedAt: site.created_at, rotatedAt: rotation?.created_at ?? 0 }
}

/**
 * Returns the revoked secrets, the users and the secret of customers' links in a database, whose schema may be that of
 * an earlier version.
 */
export async function loadRevocations(db: Database): Promise<Revocations> {
  const links = await findLinkSecret(db)
  return { secrets: await listRevokedSecrets(db), users: await listReplacedUsers(db), ...(links && { links }) }
}

async function listReplacedUsers(db: Database): Promise<ReplacedUsers> {
  const users = (await listUsersByAge(db)).map(({ id, role, providerId, status, updatedAt }) => {
    return { id, role, providerId, status, updatedAt }
  })
  const events = await db.build.selectFrom('event').select('object_id').where('type', '=', 'user.removed').execute()
  return { users, removed: events.map((event) => event.object_id) }
}

/** Returns all users, the oldest first, with the time of their last change. */
export async function listUsersByAge({ build }: Database): Promise<(User & { readonly updatedAt: number })[]> {
  const rows = await build.selectFrom('person').selectAll().orderBy('created_at').orderBy('id').execute()
  return rows.map((row) => ({ ...toUser(row), updatedAt: row.updated_at }))
}

/** Returns the number of users who are not disabled. */
export async function countActiveUsers(db: Database): Promise<number> {
  const row = await db.build
    .selectFrom('person')
    .select(sql<number>`count(*)`.as('count'))
    .where('status', '=', 'active')
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

async function listRevokedSecrets({ build }: Database): Promise<RevokedSecrets> {
  const tokens = await build.selectFrom('token').select('id').where('revoked_at', 'is not', null).execute()
  // A revoked calendar feed is deleted at once and a revoked booking link some time later, so that only the event log
  // lists all of them.
  const events = await build
    .selectFrom('event')
    .select(['type', 'object_id'])
    .where('type', 'in', ['calendar.feed_revoked', 'booking_page.link_revoked'])
    .execute()
  const idsOf = (type: string) => events.flatMap((event) => (event.type === type ? [event.object_id] : []))
  return {
    tokens: tokens.map(({ id }) => id),
    calendarFeeds: idsOf('calendar.feed_revoked'),
    bookingLinks: idsOf('booking_page.link_revoked'),
  }
}

/**
 * Revokes the API tokens, calendar feeds and private links with the given ids at `now` (Unix seconds). Unknown ids are
 * ignored, and secrets that are already revoked stay unchanged.
 */
export async function revokeSecrets({ build, dialect }: Database, secrets: RevokedSecrets, now: number): Promise<void> {
  const among = (ids: readonly string[]) => sql<boolean>`${dialect.listed(sql.ref('id'), ids, 'text')}`
  for (const [table, ids] of [
    ['token', secrets.tokens],
    ['booking_link', secrets.bookingLinks],
  ] as const)
    await build.updateTable(table).set({ revoked_at: now }).where(among(ids)).where('revoked_at', 'is', null).execute()
  await build.deleteFrom('calendar_feed').where(among(secrets.calendarFeeds)).execute()
}

/** Returns the number of calendar feeds. */
export async function countCalendarFeeds(db: Database): Promise<number> {
  const row = await db.build.selectFrom('calendar_feed').select(sql<number>`count(*)`.as('count')).executeTakeFirst()
  return Number(row?.count ?? 0)
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
