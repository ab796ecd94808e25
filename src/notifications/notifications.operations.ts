import { emailKey } from '../customers/customer.ts'
import { sameJson } from '../data.ts'
import type { Database } from '../db/database.ts'
import type { Operation, Tx } from '../db/perform/app.ts'
import type { LoggedEvent } from '../history/event.ts'
import { startConsumer, stopConsumer } from '../jobs/event-relay.ts'
import type { JobLease } from '../jobs/job.ts'
import { cancelJobs, enqueue, type NewJob, type Settlement, settleJob } from '../jobs/queue.ts'
import { refusal } from '../messages/refusal.ts'
import { consumeAccountEvents } from './account/account-mail.operations.ts'
import { undoSeconds } from './announcement.ts'
import { notificationsOf, type ReservationState, reservationStates } from './notification.ts'
import {
  findEntry,
  insertTemplateVersion,
  liftSuppression,
  listTemplateVersions,
  loadSettings,
  type NotificationEntry,
  type Suppression,
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

/** The name of the consumer of the event log. */
export const consumerName = 'notifications'
/** The place for which the password of the SMTP server is encrypted. */
export const passwordPlace = 'notifications:smtp-password'
/** The place for which the secrets of the gateway of short messages are encrypted. */
export const gatewayPlace = 'notifications:gateway'
/**
 * The kinds of the jobs: one message each, timed ones apart so that a thousand reminders delay no confirmation, and short
 * messages apart so that a slow gateway delays no mail.
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

/** What a job about an event carries. */
export interface EventJob {
  readonly seq: string
  readonly kind: string
  readonly about: 'object' | 'previous'
}

/** What a job of a reminder or a follow-up carries. */
export interface TimedJob {
  readonly kind: 'reminder' | 'follow_up'
  readonly reservationId: string
  readonly minutes: number
  /** The times of the reservation for which the job was made. */
  readonly start: number
  readonly end: number
}

/** Turns events into jobs, one for each message, and keeps the reminders of their reservations in step. */
export async function consumeEvents(tx: Tx, events: readonly LoggedEvent[]): Promise<void> {
  const { settings } = await loadSettings(tx.db)
  if (!settings.enabled) return
  await consumeAccountEvents(tx, events, settings)
  const jobs = events.flatMap((event) =>
    notificationsOf(event, tx.now).flatMap(({ kind, about }) => {
      const payload: EventJob = { seq: event.seq, kind, about }
      const runAt = event.actor.kind === 'user' ? tx.now + undoSeconds : tx.now
      const job = { key: `${event.id} ${kind} ${about}`, runAt, payload }
      return [
        ...(settings.disabled.includes(kind) ? [] : [{ kind: jobKinds.event, ...job }]),
        ...(isSmsWanted(settings.sms, kind) ? [{ kind: jobKinds.eventSms, ...job }] : []),
      ]
    }),
  )
  await enqueue(tx, jobs)
  // The last event decides: a reservation may have changed several times in one batch.
  const last = new Map<string, ReservationState | null>()
  for (const event of events) {
    const states = reservationStates(event)
    if (states) last.set(event.objectId, states.after)
  }
  const timed = [...last.values()].flatMap((state) => (state ? timedJobs(state, settings, tx.now) : []))
  const possible = [...last.keys()].flatMap((id) => timedKeys(id, settings))
  for (const kind of [jobKinds.timed, jobKinds.timedSms]) {
    const planned = new Set(timed.flatMap((job) => (job.kind === kind ? [job.key] : [])))
    await cancelJobs(
      tx,
      kind,
      possible.filter((key) => !planned.has(key)),
    )
  }
  await enqueue(tx, timed)
}

/** The keys of all jobs that a reservation can have under these settings. */
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

/** A change of the settings; an absent member is unchanged. `sealedPassword` null removes the password. */
export interface EditSettings {
  readonly settings: Partial<NotificationSettings>
  readonly sealedPassword?: string | null
  /** Whether the configuration names the SMTP server, so that the settings need none. */
  readonly smtpGiven?: boolean
}

/** Changes the settings. Switching on begins with the next event; switching off ends the planned messages. */
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

/** Whether there are a server and a sender. */
function isConfigured(
  { smtp, from }: NotificationSettings,
  { smtpGiven = false }: { readonly smtpGiven?: boolean | undefined },
): boolean {
  return (smtpGiven || smtp.host !== '') && from.address !== ''
}

// A batch shares the writing connection with bookings.
const plannedAtOnce = 200

/** Plans the reminders of upcoming reservations after the one with the id `after`; `next` continues. */
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

/** Replaces an encrypted secret of the settings, if it is still `from`; for the rotation of the key. */
export const resealSecret: Operation<
  { readonly secret: 'sealedPassword' | 'sealedGateway'; readonly from: string; readonly to: string },
  Record<never, never>
> = async (tx, { secret, from, to }) => {
  await tx.lock(['notification-settings'])
  const stored = await loadSettings(tx.db)
  if (stored[secret] === from) await saveSettings(tx.db, { ...stored, [secret]: to }, tx.now)
  return {}
}

/** What became of one attempt. */
export interface RecordMessage {
  readonly lease: JobLease
  readonly settlement: Settlement
  /** Undefined when nothing is worth recording. */
  readonly entry?: NotificationEntry
  readonly suppression?: Suppression
}

/** Records an attempt and settles its job in one transaction; false when another run decides. */
export const recordMessage: Operation<RecordMessage, boolean> = async (
  tx,
  { lease, settlement, entry, suppression },
) => {
  if (!(await settleJob(tx, lease, settlement))) return false
  if (entry) await saveEntry(tx.db, entry)
  if (suppression) await suppress(tx.db, suppression)
  return true
}

/** Queues a test message; returns the id of the entry that the log will have once the message was sent or has failed. */
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

/** A new text of a template. */
export interface EditTemplate extends TemplateKey, Template {}

/** Adds a version of a template. An empty text means that the default applies again. */
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

/** Lifts the suppression of an address, so that mail is sent to it again. */
export const allowAddress: Operation<{ readonly address: string }, Record<never, never>> = async (tx, { address }) => {
  if (!(await liftSuppression(tx.db, address))) throw refusal('suppression_not_found')
  return {}
}

/** Unsubscribes the recipient of a message from reminders and follow-ups; false for an unknown message. */
export const unsubscribe: Operation<{ readonly notificationId: string }, boolean> = async (tx, { notificationId }) => {
  const entry = await findEntry(tx.db, notificationId)
  if (!entry) return false
  const address = emailKey(entry.recipient)
  await suppress(tx.db, { address, reason: 'unsubscribed', detail: '', createdAt: tx.now })
  return true
}

/** Returns the settings as the panel shows them: with whether a password is stored, never the password. */
export async function showSettings(db: Database) {
  const { settings, sealedPassword } = await loadSettings(db)
  const { sms: _, ...mail } = settings
  return { ...mail, hasPassword: sealedPassword !== null }
}
