import { emailKey } from '../../customers/customer.ts'
import type { Database } from '../../db/database.ts'
import type { OutboundClient } from '../../http/outbound/outbound-client.ts'
import { type JobHandler, type JobResult, type JobRun, retryDelay } from '../../jobs/job.ts'
import { loadAddressed } from '../addressed.operations.ts'
import { composeSms, variablesOf } from '../mail/compose.ts'
import { type NotificationKind, propertiesOf } from '../notification.ts'
import { type EventJob, jobKinds, type TimedJob } from '../notifications.operations.ts'
import { findSuppression, loadSettings, type StoredSettings, type Suppression } from '../notifications.sql.ts'
import { delays, entryMaker, type MakeEntry, maxAttempts, type SendOptions, settle } from '../outbox.job.ts'
import { actionOf, type ChannelSender, type MessageDelivery, runEvent, runTimed } from '../send.job.ts'
import { sampleSms } from '../templates/sample.operations.ts'
import { isSmsWanted, type SmsOutcome, type SmsVariables } from './sms.ts'
import { sendThroughGateway } from './sms-gateway.job.ts'

/** The dependencies of the jobs that send short messages. */
export interface SmsOptions extends SendOptions {
  readonly client: OutboundClient
}

/** Returns the handlers of the jobs that send short messages. */
export function smsJobs(options: SmsOptions): readonly JobHandler[] {
  const channel: ChannelSender = {
    channel: 'sms',
    wants: ({ sms }, kind) => isSmsWanted(sms, kind),
    deliver: (run, delivery) => deliverSms(options, run, delivery),
  }
  const many = { concurrency: 8, maxAttempts, delays, outbound: true } as const
  return [
    {
      ...{ kind: jobKinds.eventSms, ...many },
      run: async (payload, run) => runEvent(options, payload as EventJob, run, channel),
    },
    {
      ...{ kind: jobKinds.timedSms, ...many },
      run: async (payload, run) => runTimed(options, payload as TimedJob, run, channel),
    },
    {
      ...{ kind: jobKinds.testSms, concurrency: 1, maxAttempts: 1, outbound: true },
      run: async (payload, run) => runTest(options, payload as { readonly id: string; readonly to: string }, run),
    },
  ]
}

/** Composes and sends one short message about a reservation, and adds its outcome to the log of messages. */
async function deliverSms(options: SmsOptions, run: JobRun, delivery: MessageDelivery): Promise<JobResult> {
  const { app } = options
  const { stored, kind, state, previousStart, key } = delivery
  const { settings } = stored
  const addressed = await loadAddressed(app.db, {
    ...{ kind, state, previousStart, settings, logoUrl: '', channel: 'sms' },
  })
  if (!addressed) return 'done'
  const { recipient, customer, source } = addressed
  const { locale } = source
  const entryOf = entryMaker(app, run, {
    ...{ kind, reservationId: state.id, customerId: customer.id, recipient: recipient.address, locale },
    channel: 'sms',
  })
  const suppressed = await suppressionOf(app.db, kind, recipient.address, customer.email)
  if (suppressed) return settle(app, run, { kind: 'done' }, { entry: entryOf('', 'skipped', suppressed) })
  const action = await actionOf(options, kind, addressed.catalogue, state)
  const composed = { ...source, action, deadline: state.expires }
  const text = await composeSms(composed)
  const own = { to: recipient.address, text, kind, locale, id: key }
  const variables = { ...variablesOf(composed), ...callVariables(stored, own) }
  const outcome = await sendThroughGateway({ ...options, now: app.now }, stored, variables, run.signal)
  if (run.signal.aborted) throw new Error('The run was aborted.')
  return settleSms(options, run, { outcome, text, number: recipient.address, entryOf })
}

/**
 * Returns why a short message is not sent: the number is suppressed or, for a kind from which customers can
 * unsubscribe, the customer unsubscribed by mail, also when the e-mail address has bounced. The unsubscribe page does
 * not distinguish channels.
 */
async function suppressionOf(
  db: Database,
  kind: NotificationKind,
  number: string,
  email: string,
): Promise<Suppression['reason'] | undefined> {
  const { optional } = propertiesOf(kind)
  const ofNumber = await findSuppression(db, emailKey(number))
  if (ofNumber && (ofNumber.reason === 'bounced' || optional)) return ofNumber.reason
  const ofEmail = optional && email !== '' ? await findSuppression(db, emailKey(email)) : undefined
  return (ofEmail?.unsubscribedAt ?? null) === null ? undefined : 'unsubscribed'
}

interface Sent {
  readonly outcome: SmsOutcome
  readonly text: string
  readonly number: string
  readonly entryOf: MakeEntry
}

function settleSms({ app }: SmsOptions, run: JobRun, { outcome, text, number, entryOf }: Sent): Promise<JobResult> {
  if (outcome.state === 'sent') return settle(app, run, { kind: 'done' }, { entry: entryOf(text, 'sent', '') })
  const { why, cause, temporary, retryAfter } = outcome
  if (outcome.state === 'bounced') {
    const suppression = { address: number, reason: 'bounced' as const, detail: why, createdAt: app.now() }
    return settle(app, run, { kind: 'done' }, { entry: entryOf(text, 'failed', why), suppression })
  }
  if (!temporary || run.attempt >= maxAttempts)
    return settle(app, run, { kind: 'park', why: cause }, { entry: entryOf(text, 'failed', why) })
  const delay = Math.max(Math.min(retryAfter ?? 0, maxRetryAfter), retryDelay(run.attempt, delays, Math.random()))
  const settlement = { kind: 'retry', runAt: app.now() + delay, why: cause } as const
  return settle(app, run, settlement, { entry: entryOf(text, 'retrying', why) })
}

const maxRetryAfter = 24 * 3_600

async function runTest(
  options: SmsOptions,
  { id, to }: { readonly id: string; readonly to: string },
  run: JobRun,
): Promise<JobResult> {
  const { app } = options
  const stored = await loadSettings(app.db)
  const own = { to, text: testText, kind: 'test', locale: 'en', id }
  const sample = await sampleSms(app.db, app.now(), '')
  const variables = { ...sample, ...callVariables(stored, own) }
  const outcome = await sendThroughGateway({ ...options, now: app.now }, stored, variables, run.signal)
  if (run.signal.aborted) throw new Error('The run was aborted.')
  const fixed = { kind: 'test', reservationId: null, customerId: null, recipient: to, locale: 'en' } as const
  const make = entryMaker(app, run, { ...fixed, channel: 'sms' })
  const sent = outcome.state === 'sent'
  const entry = { ...make(testText, sent ? 'sent' : 'failed', sent ? '' : outcome.why), id }
  return settle(app, run, { kind: 'done' }, { entry })
}

const testText = 'This is a test message. The gateway works.'

function callVariables({ settings }: StoredSettings, own: Omit<SmsVariables, 'to_digits' | 'sender'>): SmsVariables {
  return { ...own, to_digits: own.to.replace(/\D/g, ''), sender: settings.sms.sender }
}
