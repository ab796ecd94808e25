import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { countRows, maxCounted } from '../db/query/count-rows.ts'
import type { MailSuppressionTable, NotificationTable } from '../db/query/notification-tables.ts'
import type { NotificationKind } from './notification.ts'
import { defaultSettings, type NotificationSettings } from './settings.ts'
import { isTemplateKind, type Locale, type Template, type TemplateKind } from './templates/template.ts'

/** The stored settings of notifications, with the encrypted password of the SMTP server. */
export interface StoredSettings {
  readonly settings: NotificationSettings
  readonly sealedPassword: string | null
  /** The encrypted password and headers for requests to the SMS gateway; null when none are stored. */
  readonly sealedGateway: string | null
}

/** Returns the settings of notifications; the defaults when no settings are stored. */
export async function loadSettings(db: Database): Promise<StoredSettings> {
  const row = await db.build.selectFrom('notification_settings').selectAll().executeTakeFirst()
  if (!row) return { settings: defaultSettings, sealedPassword: null, sealedGateway: null }
  // JSON that an earlier version stored lacks the settings that were added since; they have their defaults.
  const stored: Partial<NotificationSettings> = JSON.parse(row.body)
  const sms = { ...defaultSettings.sms, ...stored.sms }
  return {
    settings: { ...defaultSettings, ...stored, sms },
    sealedPassword: row.smtp_password,
    sealedGateway: row.gateway_secret,
  }
}

/** Whether notifications are switched on and, when a kind is given, the mails of that kind are not switched off. */
export async function canSend(db: Database, kind?: NotificationKind): Promise<boolean> {
  const { settings } = await loadSettings(db)
  return settings.enabled && (kind === undefined || !settings.disabled.includes(kind))
}

/** Whether both notifications in general and short messages (SMS) are switched on. */
export async function canText(db: Database): Promise<boolean> {
  const { settings } = await loadSettings(db)
  return settings.enabled && settings.sms.enabled
}

/** Stores the settings of notifications with their encrypted secrets. */
export async function saveSettings(
  db: Database,
  { settings, sealedPassword, sealedGateway }: StoredSettings,
  now: number,
): Promise<void> {
  const secrets = { smtp_password: sealedPassword, gateway_secret: sealedGateway }
  const row = { body: JSON.stringify(settings), ...secrets, updated_at: now }
  await db.build
    .insertInto('notification_settings')
    .values({ id: 'site', ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}

/** The channel by which a message is sent. */
export type Channel = 'email' | 'sms'

// The prefix of the kinds under which templates of short messages (SMS) are stored. Earlier versions of Daybook ignore
// templates of these kinds.
const smsPrefix = 'sms.'

function storedKind({ kind, channel }: Pick<TemplateKey, 'kind' | 'channel'>): string {
  return channel === 'sms' ? `${smsPrefix}${kind}` : kind
}

/**
 * Identifies a template by kind, language, channel and service. With the service `''`, the template applies to all
 * services without a template of their own.
 */
export interface TemplateKey {
  readonly kind: TemplateKind
  readonly serviceId: string
  readonly locale: Locale
  readonly channel: Channel
}

/**
 * One version of a template. If the newest version has an empty `body`, the template of all services or, without one,
 * the default template applies instead.
 */
export interface TemplateVersion extends Template {
  readonly version: number
  readonly userId: string
  readonly createdAt: number
}

/** Returns the versions of a template, newest first, at most `limit`. */
export async function listTemplateVersions(
  db: Database,
  { serviceId, locale, ...of }: TemplateKey,
  limit: number,
): Promise<readonly TemplateVersion[]> {
  const rows = await db.build
    .selectFrom('notification_template')
    .selectAll()
    .where('kind', '=', storedKind(of))
    .where('service_id', '=', serviceId)
    .where('locale', '=', locale)
    .orderBy('version', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ subject, body, version, user_id: userId, created_at: createdAt }) => ({
    ...{ subject, body, version, userId, createdAt },
  }))
}

/**
 * Returns the template that applies: that of the service, or else that of all services; undefined when the default
 * template applies.
 */
export async function findTemplate(db: Database, key: TemplateKey): Promise<Template | undefined> {
  for (const serviceId of new Set([key.serviceId, ''])) {
    const [newest] = await listTemplateVersions(db, { ...key, serviceId }, 1)
    if (newest && newest.body !== '') return newest
  }
  return undefined
}

/** Adds a version of a template. */
export async function insertTemplateVersion(
  db: Database,
  { serviceId, locale, ...of }: TemplateKey,
  { version, subject, body, userId, createdAt }: TemplateVersion,
): Promise<void> {
  const fixed = { kind: storedKind(of), service_id: serviceId, locale, version, subject, body }
  await db.build
    .insertInto('notification_template')
    .values({ ...fixed, user_id: userId, created_at: createdAt })
    .execute()
}

/** Returns the keys of the templates that the site has customised. */
export async function listOwnTemplates(db: Database): Promise<readonly TemplateKey[]> {
  const rows = await db.build
    .selectFrom('notification_template as newest')
    .select(['kind', 'service_id', 'locale'])
    .where('body', '<>', '')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('notification_template as later')
            .select('later.version')
            .whereRef('later.kind', '=', 'newest.kind')
            .whereRef('later.service_id', '=', 'newest.service_id')
            .whereRef('later.locale', '=', 'newest.locale')
            .whereRef('later.version', '>', 'newest.version'),
        ),
      ),
    )
    .execute()
  return rows.flatMap(({ kind: stored, service_id: serviceId, locale }) => {
    const channel = stored.startsWith(smsPrefix) ? 'sms' : 'email'
    const kind = channel === 'sms' ? stored.slice(smsPrefix.length) : stored
    return isTemplateKind(kind) ? [{ kind, serviceId, locale: locale as Locale, channel }] : []
  })
}

/**
 * The state of a message. `sent`: accepted by the server or gateway; `failed`: given up after one or more errors;
 * `skipped`: not sent because the address is suppressed, after a bounce or an unsubscription; `retrying`: to be sent
 * again.
 */
export type NotificationState = 'sent' | 'failed' | 'skipped' | 'retrying'

/** One entry of the log of messages. */
export interface NotificationEntry {
  readonly id: string
  readonly kind: TemplateKind | 'test'
  readonly reservationId: string | null
  readonly customerId: string | null
  readonly recipient: string
  readonly locale: string
  readonly channel: Channel
  /** The subject of a mail, or the text of a short message (SMS); `''` when it was skipped. */
  readonly subject: string
  readonly state: NotificationState
  /**
   * Why a message was not sent: the reason for which its address is suppressed, or an explanation of the error; `''`
   * when it was sent.
   */
  readonly reason: string
  readonly attempts: number
  readonly createdAt: number
  readonly updatedAt: number
}

/**
 * Adds an entry to the log of messages, or updates it after another attempt, for which the reservation may have another
 * customer.
 */
export async function saveEntry(db: Database, entry: NotificationEntry): Promise<void> {
  const { id, kind, recipient, locale, subject, state, reason, attempts, updatedAt } = entry
  const to = { customer_id: entry.customerId, recipient, locale }
  const row = { ...to, subject, state, reason, attempts, updated_at: updatedAt }
  await db.build
    .insertInto('notification')
    .values({
      ...{ id, kind, reservation_id: entry.reservationId, channel: entry.channel },
      ...row,
      created_at: entry.createdAt,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}

/** A filter of the log of messages; an absent member matches everything. */
export interface EntryFilter {
  readonly state?: NotificationState | undefined
  readonly kind?: string | undefined
  readonly reservationId?: string | undefined
  readonly customerId?: string | undefined
  /** A part of the recipient's address, case-insensitive. */
  readonly recipient?: string | undefined
}

/**
 * Returns one page of the log of messages, the newest first, and the number of entries that match the filter, counted
 * up to `maxCounted` plus one.
 */
export async function listEntries(
  db: Database,
  { state, kind, reservationId, customerId, recipient }: EntryFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly page: readonly NotificationEntry[]; readonly total: number }> {
  let found = db.build.selectFrom('notification')
  if (state !== undefined) found = found.where('state', '=', state)
  if (kind !== undefined) found = found.where('kind', '=', kind)
  if (reservationId !== undefined) found = found.where('reservation_id', '=', reservationId)
  if (customerId !== undefined) found = found.where('customer_id', '=', customerId)
  if (recipient !== undefined)
    found = found.where(({ fn, ref }) => fn<string>('lower', [ref('recipient')]), 'like', `%${escapeLike(recipient)}%`)
  const rows = await found
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const total = await countRows(db, found.select('id').limit(maxCounted + 1))
  return { page: rows.map(toEntry), total }
}

// Returns a lower-case pattern in which `_`, which matches any one character, replaces `%`, backslashes and characters
// outside of ASCII. Only PostgreSQL's LIKE has a default escape character, the backslash, and SQLite's `lower` changes
// ASCII letters alone.
function escapeLike(text: string): string {
  return text.toLowerCase().replace(/[%\\]|[^ -~]/gu, '_')
}

/**
 * Returns the kind of the last message of the given kinds that was sent about a reservation by a channel; undefined
 * when there is none.
 */
export async function findLastSent(
  db: Database,
  {
    reservationId,
    channel,
    kinds,
  }: { readonly reservationId: string; readonly channel: Channel; readonly kinds: readonly NotificationKind[] },
): Promise<string | undefined> {
  const row = await db.build
    .selectFrom('notification')
    .select('kind')
    .where('reservation_id', '=', reservationId)
    .where('state', '=', 'sent')
    .where('channel', '=', channel)
    .where('kind', 'in', kinds)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.kind
}

/** Returns one entry of the log of messages; undefined for an unknown id. */
export async function findEntry(db: Database, id: string): Promise<NotificationEntry | undefined> {
  const row = await db.build.selectFrom('notification').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toEntry(row)
}

function toEntry(row: NotificationTable): NotificationEntry {
  const { id, kind, recipient, locale, subject, state, reason, attempts } = row
  return {
    id,
    kind: kind as NotificationKind,
    reservationId: row.reservation_id,
    customerId: row.customer_id,
    ...{ recipient, locale, subject, reason, attempts },
    channel: row.channel === 'sms' ? 'sms' : 'email',
    state: state as NotificationState,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/**
 * The suppression of an e-mail address or phone number. With the reason `bounced`, the recipient receives no
 * notifications, agendas or links to bookings; with `unsubscribed`, no optional notifications. Account mail and test
 * messages are sent even to suppressed addresses.
 */
export interface Suppression {
  readonly address: string
  /** Why messages are suppressed; `bounced` also when the recipient unsubscribed as well. */
  readonly reason: 'bounced' | 'unsubscribed'
  readonly detail: string
  readonly createdAt: number
  /** When the recipient unsubscribed; null when the recipient did not. */
  readonly unsubscribedAt: number | null
}

/** A bounce or an unsubscription. */
export type NewSuppression = Omit<Suppression, 'unsubscribedAt'>

/**
 * Returns why messages to an address are suppressed, such as after a bounce; undefined when they are not. `addressKey`
 * is the normalised address that `emailKey` returns.
 */
export async function findSuppression(db: Database, addressKey: string): Promise<Suppression | undefined> {
  const row = await db.build
    .selectFrom('mail_suppression')
    .selectAll()
    .where('address_key', '=', addressKey)
    .executeTakeFirst()
  return row && toSuppression(row)
}

/**
 * Returns the addresses to which messages are suppressed, such as after a bounce, the newest first, at most `limit`.
 */
export async function listSuppressions(db: Database, limit: number): Promise<readonly Suppression[]> {
  const rows = await db.build
    .selectFrom('mail_suppression')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('address_key')
    .limit(limit)
    .execute()
  return rows.map(toSuppression)
}

// Nodes of a version without the column `unsubscribed_at`, which run during an upgrade, store unsubscriptions in
// `reason` and `created_at` alone.
const storedUnsubscription = sql<number | null>`coalesce(mail_suppression.unsubscribed_at,
  case mail_suppression.reason when 'unsubscribed' then mail_suppression.created_at end)`

/**
 * Stores that messages to an address (as `emailKey` returns it) are suppressed, and why. A bounce and an unsubscription
 * are both stored, whichever comes first; an earlier bounce or unsubscription is not replaced by a later one.
 */
export async function suppress(db: Database, { address, reason, detail, createdAt }: NewSuppression): Promise<void> {
  const isBounce = reason === 'bounced'
  const unsubscribedAt = isBounce ? null : createdAt
  await db.build
    .insertInto('mail_suppression')
    .values({ address_key: address, reason, detail, created_at: createdAt, unsubscribed_at: unsubscribedAt })
    .onConflict((conflict) => {
      const known = conflict.column('address_key')
      if (!isBounce)
        return known.doUpdateSet({ unsubscribed_at: sql<number>`coalesce(${storedUnsubscription}, ${createdAt})` })
      return known
        .doUpdateSet({ reason, detail, created_at: createdAt, unsubscribed_at: storedUnsubscription })
        .where('mail_suppression.reason', '<>', 'bounced')
    })
    .execute()
}

/**
 * Ends the suppression of messages to an address; returns whether the address was suppressed. If it bounced and its
 * recipient also unsubscribed, only the bounce is lifted.
 */
export async function liftSuppression(db: Database, addressKey: string): Promise<boolean> {
  const { numUpdatedRows } = await db.build
    .updateTable('mail_suppression')
    .set(({ fn }) => ({ reason: 'unsubscribed', detail: '', created_at: fn.coalesce('unsubscribed_at', 'created_at') }))
    .where('address_key', '=', addressKey)
    .where('reason', '=', 'bounced')
    .where('unsubscribed_at', 'is not', null)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return true
  const { numDeletedRows } = await db.build
    .deleteFrom('mail_suppression')
    .where('address_key', '=', addressKey)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

function toSuppression(row: MailSuppressionTable): Suppression {
  const { address_key: address, detail, created_at: createdAt } = row
  const reason = row.reason === 'bounced' ? 'bounced' : 'unsubscribed'
  const unsubscribedAt = row.unsubscribed_at ?? (reason === 'unsubscribed' ? createdAt : null)
  return { address, reason, detail, createdAt, unsubscribedAt }
}
