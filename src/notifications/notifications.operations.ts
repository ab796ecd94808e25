import { emailKey } from '../customers/customer.ts'
import { isErasedSince } from '../customers/erasure/traces.sql.ts'
import { sameJson } from '../data.ts'
import type { Database } from '../db/database.ts'
import type { Operation, Tx } from '../db/perform/app.ts'
import type { LoggedEvent } from '../history/event.ts'
import { startConsumer, stopConsumer } from '../jobs/event-relay.ts'
import type { JobLease } from '../jobs/job.ts'
import { cancelJobs, enqueue, type NewJob, type Settlement, settleJob } from '../jobs/queue.ts'
import { refusal } from '../messages/refusal.ts'
import { undoSeconds } from '../undo/undo-seconds.ts'
import { consumeAccountEvents } from './account/account-mail.operations.ts'
import { notificationsOf, possibleKinds, type ReservationState, reservationStates } from './notification.ts'
import {
  findEntry,
  insertTemplateVersion,
  liftSuppression,
  listTemplateVersions,
  loadSettings,
  type NewSuppression,
  type NotificationEntry,
  saveEntry,
  saveSettings,
  suppress,
  type TemplateKey,
} from './notifications.sql.ts'
import { timedNotifications } from './reminders.ts'
import type { NotificationSettings } from './settings.ts'
import { isSmsWanted } from './sms/sms.ts'
import type { Template } from './templates/template.ts'
import { listUpcoming } from './upcoming.sql.ts'

/** The name of the event log's consumer that queues notifications. */
export const consumerName = 'notifications'
/** The `place` argument of `encrypt` for the SMTP password, which makes the ciphertext invalid for any other use. */
export const passwordPlace = 'notifications:smtp-password'
/**
 * The `place` argument of `encrypt` for the secrets of the SMS gateway, which makes the ciphertext invalid for any
 * other use.
 */
export const gatewayPlace = 'notifications:gateway'
/**
 * The kinds of jobs of notifications; all but `plan` send one message per job. Each kind has its own concurrency limit:
 * reminders are separate so that a thousand of them do not delay a confirmation, and short messages (SMS) so that a
 * slow gateway does not delay mail.
 */
export const jobKinds = {
  event: 'notification',
  timed: 'timed-notification',
  test: 'test-mail',
  eventSms: 'sms',
  timedSms: 'timed-sms',
  testSms: 'test-sms',
  plan: 'plan-reminders',
}

/**
 * The payload of a job that sends a notification about an event: the position of the event in the log (`seq`), the
 * kind of the notification, and the state that it describes (see `DueNotification`).
 */
export interface EventJob {
  readonly seq: string
  readonly kind: string
  readonly about: 'object' | 'previous'
}

/** The payload of a job that sends a reminder or a follow-up. */
export interface TimedJob {
  readonly kind: 'reminder' | 'follow_up'
  readonly reservationId: string
  readonly minutes: number
  /** The start and end of the reservation when the job was enqueued; if they differ later, the message is not sent. */
  readonly start: number
  readonly end: number
}

/**
 * Enqueues a job for each message that the events cause, unless every kind that the message can have is switched off,
 * and replans the reminders and follow-ups of their reservations. Does nothing while notifications are switched off.
 */
export async function consumeEvents(tx: Tx, events: readonly LoggedEvent[]): Promise<void> {
  const { settings } = await loadSettings(tx.db)
  if (!settings.enabled) return
  await consumeAccountEvents(tx, events, settings)
  const jobs = events.flatMap((event) =>
    notificationsOf(event, tx.now).flatMap(({ kind, about }) => {
      const payload: EventJob = { seq: event.seq, kind, about }
      const runAt = event.actor.kind === 'user' ? tx.now + undoSeconds : tx.now
      const job = { key: `${event.id} ${kind} ${about}`, runAt, payload }
      const kinds = possibleKinds(kind)
      return [
        ...(kinds.every((one) => settings.disabled.includes(one)) ? [] : [{ kind: jobKinds.event, ...job }]),
        ...(kinds.some((one) => isSmsWanted(settings.sms, one)) ? [{ kind: jobKinds.eventSms, ...job }] : []),
      ]
    }),
  )
  await enqueue(tx, jobs)
  // A batch may contain several events of a reservation, of which only the last determines its reminders.
  const last = new Map<string, ReservationState | null>()
  for (const event of events) {
    const states = reservationStates(event)
    if (states) last.set(event.objectId, states.after)
  }
  const timed = [...last.values()].flatMap((state) => (state ? timedJobs(state, settings, tx.now) : []))
  // The jobs of a confirmed reservation are never cancelled, only replaced. One that is due already, but deferred by
  // quiet hours or by a failure, has no successor in `timed`; one of an earlier slot ends without a message.
  const over = [...last].flatMap(([id, state]) => (state?.status === 'confirmed' ? [] : timedKeys(id, settings)))
  for (const kind of [jobKinds.timed, jobKinds.timedSms]) await cancelJobs(tx, kind, over)
  await enqueue(tx, timed)
}

/** Returns the keys of all reminder and follow-up jobs that a reservation can have under these settings. */
function timedKeys(id: string, { reminders, followUp }: NotificationSettings): string[] {
  return [
    ...reminders.map((minutes) => keyOf(id, 'reminder', minutes)),
    ...(followUp === null ? [] : [keyOf(id, 'follow_up', followUp)]),
  ]
}

function timedJobs(
  state: Pick<ReservationState, 'id' | 'start' | 'end' | 'status'>,
  settings: NotificationSettings,
  now: number,
): (NewJob & { readonly key: string })[] {
  const { id, start, end } = state
  const { reminders, followUp, disabled, sms } = settings
  const withoutSms = (['reminder', 'follow_up'] as const).filter((kind) => !isSmsWanted(sms, kind))
  return [
    { of: jobKinds.timed, disabled },
    { of: jobKinds.timedSms, disabled: withoutSms },
  ].flatMap((channel) =>
    timedNotifications(state, { reminders, followUp, disabled: channel.disabled }, now).map(
      ({ kind, minutes, runAt }) => {
        const payload: TimedJob = { kind, reservationId: id, minutes, start, end }
        return { kind: channel.of, key: keyOf(id, kind, minutes), runAt, payload }
      },
    ),
  )
}

function keyOf(reservationId: string, kind: string, minutes: number): string {
  return `${reservationId} ${kind} ${minutes}`
}

/**
 * A change of the settings of notifications; an absent member is unchanged. A `sealedPassword` of null removes the
 * password.
 */
export interface EditSettings {
  readonly settings: Partial<NotificationSettings>
  readonly sealedPassword?: string | null
  /** Whether the configuration defines the SMTP server, so that the settings need not define one. */
  readonly smtpGiven?: boolean
}

/**
 * Changes the settings of notifications. After notifications are switched on, only later events cause messages, apart
 * from the reminders and follow-ups of upcoming reservations. Messages that become due while notifications are off are
 * dropped.
 */
export const editSettings: Operation<EditSettings, Record<never, never>> = async (tx, input) => {
  await tx.lock(['notification-settings'])
  const before = await loadSettings(tx.db)
  const settings = { ...before.settings, ...input.settings }
  const sealedPassword = input.sealedPassword === undefined ? before.sealedPassword : input.sealedPassword
  if (settings.enabled && !isConfigured(settings, input)) throw refusal('mail_not_configured')
  if (sameJson(before.settings, settings) && before.sealedPassword === sealedPassword) return {}
  await saveSettings(tx.db, { ...before, settings, sealedPassword }, tx.now)
  if (settings.enabled) await startConsumer(tx, consumerName)
  else await stopConsumer(tx, consumerName)
  if (settings.enabled) await enqueue(tx, [{ kind: jobKinds.plan, key: 'site', payload: { after: '' } }])
  await tx.append({
    type: 'notification_settings.updated',
    objectId: 'site',
    object: { ...settings },
    previous: { ...before.settings },
  })
  return {}
}

/** Whether the SMTP server and the sender are configured. */
function isConfigured(
  { smtp, from }: NotificationSettings,
  { smtpGiven = false }: { readonly smtpGiven?: boolean | undefined },
): boolean {
  return (smtpGiven || smtp.host !== '') && from.address !== ''
}

// The number of reservations in a batch. It is small because on SQLite bookings wait while a batch is written.
const plannedAtOnce = 200

/**
 * Enqueues the reminders and follow-ups of one batch of upcoming reservations, those whose ids follow `after`. `next`
 * is the last id of the batch, from which the next batch continues; null at the end.
 */
export const planReminders: Operation<{ readonly after: string }, { readonly next: string | null }> = async (
  tx,
  { after },
) => {
  const { settings } = await loadSettings(tx.db)
  if (!settings.enabled) return { next: null }
  const found = await listUpcoming(tx.db, { after, now: tx.now, limit: plannedAtOnce })
  await enqueue(
    tx,
    found.flatMap((state) => timedJobs(state, settings, tx.now)),
  )
  return { next: found.length < plannedAtOnce ? null : (found.at(-1)?.id ?? null) }
}

/**
 * Replaces the encrypted secret `from` of the settings by `to`, the same secret encrypted with another key; does
 * nothing if the stored one is no longer `from`.
 */
export const resealSecret: Operation<
  { readonly secret: 'sealedPassword' | 'sealedGateway'; readonly from: string; readonly to: string },
  Record<never, never>
> = async (tx, { secret, from, to }) => {
  await tx.lock(['notification-settings'])
  const stored = await loadSettings(tx.db)
  if (stored[secret] === from) await saveSettings(tx.db, { ...stored, [secret]: to }, tx.now)
  return {}
}

/** The input of `recordMessage`: the result of one attempt to send a message. */
export interface RecordMessage {
  readonly lease: JobLease
  readonly settlement: Settlement
  /** The entry for the log of messages; undefined when there is nothing to log. */
  readonly entry?: NotificationEntry
  readonly suppression?: NewSuppression
  /** The customer whom the message is about; that of the entry when absent. */
  readonly about?: string | undefined
}

// The profile in a message is read shortly before the time of its entry, and the clocks of the nodes differ slightly.
const secondsBeforeEntry = 60

/**
 * Records an attempt to send a message and ends the run of its job, in one transaction. Returns false and records
 * nothing when the run no longer holds the lease of the job, since another run then decides about the job. About a
 * customer who was erased while the message was sent, only the end of the run is recorded.
 */
export const recordMessage: Operation<RecordMessage, boolean> = async (
  tx,
  { lease, settlement, entry, suppression, about = entry?.customerId },
) => {
  // With the lock, an erasure either sees the entry and deletes it, or is seen here.
  if (about) await tx.lock([`customer:${about}`])
  if (!(await settleJob(tx, lease, settlement))) return false
  if (about && entry && (await isErasedSince(tx.db, about, entry.updatedAt - secondsBeforeEntry))) return true
  if (entry) await saveEntry(tx.db, entry)
  if (suppression) await suppress(tx.db, suppression)
  return true
}

/** Queues a test message. Returns the id under which the message log will contain it once it was sent or has failed. */
export const sendTestMail: Operation<
  { readonly to: string; readonly smtpGiven?: boolean },
  { readonly id: string }
> = async (tx, { to, smtpGiven }) => {
  const { settings } = await loadSettings(tx.db)
  if (!isConfigured(settings, { smtpGiven })) throw refusal('mail_not_configured')
  const id = tx.newId('notification')
  await enqueue(tx, [{ kind: jobKinds.test, key: id, payload: { id, to } }])
  return { id }
}

/** The input of `editTemplate`: a new version of a template. */
export interface EditTemplate extends TemplateKey, Template {}

/**
 * Adds a version of a template. After a version with an empty `body`, the template of all services or, without one, the
 * default template applies again. Returns the number of the new version. If the newest version has the same texts, adds
 * nothing and returns the number of that version.
 */
export const editTemplate: Operation<EditTemplate, { readonly version: number }> = async (tx, input) => {
  await tx.lock(['notification-settings'])
  const { kind, serviceId, locale, channel, subject, body } = input
  const key = { kind, serviceId, locale, channel }
  const [newest] = await listTemplateVersions(tx.db, key, 1)
  if (newest && newest.subject === subject && newest.body === body) return { version: newest.version }
  const version = (newest?.version ?? 0) + 1
  const made = { version, subject, body, userId: tx.actor.id, createdAt: tx.now }
  await insertTemplateVersion(tx.db, key, made)
  await tx.append({
    type: 'notification_template.updated',
    objectId: [channel === 'sms' ? 'sms' : '', kind, locale, serviceId].filter(Boolean).join(' '),
    object: { subject, body },
    previous: newest ? { subject: newest.subject, body: newest.body } : null,
  })
  return { version }
}

/**
 * Ends the suppression of an e-mail address or phone number, so that messages are sent to it again; refuses an address
 * that is not suppressed. After a bounce, a recipient who unsubscribed still gets no optional messages.
 */
export const allowAddress: Operation<{ readonly address: string }, Record<never, never>> = async (tx, { address }) => {
  if (!(await liftSuppression(tx.db, address))) throw refusal('suppression_not_found')
  return {}
}

/** Unsubscribes the recipient of a message from reminders and follow-ups; returns false for an unknown message. */
export const unsubscribe: Operation<{ readonly notificationId: string }, boolean> = async (tx, { notificationId }) => {
  const entry = await findEntry(tx.db, notificationId)
  if (!entry) return false
  const address = emailKey(entry.recipient)
  await suppress(tx.db, { address, reason: 'unsubscribed', detail: '', createdAt: tx.now })
  return true
}

/**
 * Returns the settings of notifications for the panel, without those of short messages (SMS). `hasPassword` tells
 * whether an SMTP password is stored.
 */
export async function showSettings(db: Database) {
  const { settings, sealedPassword } = await loadSettings(db)
  const { sms: _, ...mail } = settings
  return { ...mail, hasPassword: sealedPassword !== null }
}
