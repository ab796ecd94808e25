import { emailKey } from '../customers/customer.ts'
import type { InputOf, ResultOf } from '../db/perform/app.ts'
import { resultOf } from '../db/perform/outcome.ts'
import { workerContext } from '../db/perform/worker-context.ts'
import { findDecrypted, type KeySource } from '../encryption.ts'
import { type JobResult, type JobRun, retryDelay } from '../jobs/job.ts'
import type { Settlement } from '../jobs/queue.ts'
import type { MailMessage, MailOutcome, MailTransport, SmtpConnection } from '../mail/smtp.ts'
import type { Daybook, Operations } from '../operations.ts'
import { passwordPlace, type RecordMessage } from './notifications.operations.ts'
import type { NotificationEntry, NotificationState, StoredSettings } from './notifications.sql.ts'

/** The dependencies of the jobs that send mail. */
export interface SendOptions {
  readonly app: Daybook
  readonly transport: MailTransport
  readonly findKey: KeySource
  /** The SMTP server of the configuration, which replaces that of the settings. */
  readonly smtp?: SmtpConnection | undefined
  /** The public origin of the service, with which links in messages begin. */
  origin(): string
}

/** The maximum number of attempts to send one message; a test message has a single attempt. */
export const maxAttempts = 10
/** Seconds to wait after each failed attempt, nearly three days in total; up to a tenth is added at random. */
export const delays = [60, 300, 900, 3_600, 3 * 3_600, 6 * 3_600, 12 * 3_600, 24 * 3_600, 24 * 3_600]
/** Creates the entry of a message in the message log as of the current attempt, which replaces the entry so far. */
export type MakeEntry = (subject: string, state: NotificationState, reason: string) => NotificationEntry

/** Returns a function that creates the log entries of one message. */
export function entryMaker(
  app: Daybook,
  run: JobRun,
  fixed: Pick<NotificationEntry, 'kind' | 'reservationId' | 'customerId' | 'recipient' | 'locale' | 'channel'>,
): MakeEntry {
  const now = app.now()
  const times = { attempts: run.attempt, createdAt: now, updatedAt: now }
  return (subject, state, reason) => ({ id: run.id, ...fixed, subject, state, reason, ...times })
}

/**
 * Sends a mail. Then, in one transaction, logs the outcome, suppresses further mail to an address that bounced, and
 * ends the run of the job.
 */
export async function send(
  options: SendOptions,
  run: JobRun,
  {
    stored,
    message,
    entryOf,
    about,
  }: { stored: StoredSettings; message: MailMessage; entryOf: MakeEntry } & Pick<RecordMessage, 'about'>,
): Promise<JobResult> {
  const { app } = options
  const outcome = await sendOver(options, stored, message, run.signal)
  const { subject } = message
  if (outcome.state === 'sent')
    return settle(app, run, { kind: 'done' }, { entry: entryOf(subject, 'sent', ''), about })
  const { why, cause, temporary } = outcome
  if (outcome.state === 'bounced') {
    const suppression = {
      ...{ address: emailKey(message.to.address), reason: 'bounced' as const, detail: why },
      createdAt: app.now(),
    }
    return settle(app, run, { kind: 'done' }, { entry: entryOf(subject, 'failed', why), suppression, about })
  }
  if (!temporary || run.attempt >= maxAttempts)
    return settle(app, run, { kind: 'park', why: cause }, { entry: entryOf(subject, 'failed', why), about })
  const runAt = app.now() + retryDelay(run.attempt, delays, Math.random())
  return settle(app, run, { kind: 'retry', runAt, why: cause }, { entry: entryOf(subject, 'retrying', why), about })
}

/**
 * Sends a message and returns the outcome. When the SMTP password cannot be decrypted, the outcome is a temporary
 * failure. Rejects when `signal` was aborted before the message was sent.
 */
export async function sendOver(
  { transport, findKey, smtp }: Pick<SendOptions, 'transport' | 'findKey' | 'smtp'>,
  { settings, sealedPassword }: Pick<StoredSettings, 'settings' | 'sealedPassword'>,
  message: MailMessage,
  signal: AbortSignal,
): Promise<MailOutcome> {
  if (smtp) return transport.send(smtp, message, signal)
  if (sealedPassword === null) return transport.send({ ...settings.smtp, password: '' }, message, signal)
  const keys = await findKey()
  const password = keys && findDecrypted(keys, sealedPassword, passwordPlace)
  if (password === undefined) return { state: 'failed', why: noKey, cause: noKey, temporary: true }
  return transport.send({ ...settings.smtp, password }, message, signal)
}

const noKey = 'The password of the SMTP server cannot be decrypted: no key, or another DAYBOOK_SECRET_KEY.'

/**
 * Ends a run of a job. In the same transaction, records what `more` contains: the log entry of the message, and the
 * suppression of further mail to its address.
 */
export async function settle(
  app: Daybook,
  run: JobRun,
  settlement: Settlement,
  more: Omit<RecordMessage, 'lease' | 'settlement'> = {},
): Promise<JobResult> {
  await performed(app, 'notifications.record', { lease: run.lease, settlement, ...more })
  return 'settled'
}

const byWorker = workerContext('mail')

/** Performs a write of a mail job and returns its result; throws when it is refused or fails. */
export async function performed<
  N extends 'notifications.record' | 'notifications.plan' | 'users.invite' | 'booking-page.bookings.issue',
>(app: Daybook, name: N, input: InputOf<Operations, N>): Promise<ResultOf<Operations, N>> {
  return resultOf(await app.perform(name, input, { ...byWorker, now: app.now() }))
}
