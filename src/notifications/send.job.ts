import { loadPages } from '../booking-page/settings.sql.ts'
import { awaitedMeeting } from '../calendars/destinations/awaited-meeting.sql.ts'
import { loadCatalogue } from '../catalogue/catalogue.sql.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { logoPath } from '../catalogue/site/appearance.ts'
import { emailKey } from '../customers/customer.ts'
import { findEvent, parseSeq } from '../db/log/event-log.ts'
import type { JobHandler, JobResult, JobRun } from '../jobs/job.ts'
import { calendarFile } from '../mail/calendar-file.ts'
import type { MailMessage } from '../mail/smtp.ts'
import { listReceiptsOfCustomer } from '../payments/receipts/receipts.sql.ts'
import { managePath, verifyPath } from '../reservations/manage-secret.operations.ts'
import { findReservation } from '../reservations/reservations.sql.ts'
import { keepsWallTime } from '../reservations/zone-changes/zone-changes.ts'
import { findFormerStart, findSubject, loadAddressed, type Subject } from './addressed.operations.ts'
import { announcedChange } from './announcement.ts'
import { fileMethod } from './mail/attached-file.ts'
import { compose, type MessageSource } from './mail/compose.ts'
import { brandOf, layout } from './mail/layout.ts'
import {
  type DueNotification,
  isAboutCancellation,
  isAboutFee,
  isNotificationKind,
  type NotificationKind,
  notificationsOfChange,
  propertiesOf,
  type ReservationStates,
  reservationStates,
} from './notification.ts'
import { type EventJob, jobKinds, type TimedJob } from './notifications.operations.ts'
import { type Channel, findLastSent, findSuppression, loadSettings, type StoredSettings } from './notifications.sql.ts'
import { delays, entryMaker, maxAttempts, performed, type SendOptions, send, sendOver, settle } from './outbox.job.ts'
import { isUseful } from './reminders.ts'
import { type NotificationSettings, quietEnd } from './settings.ts'
import { listSurroundings } from './surroundings.sql.ts'

const secondsBeforeStart = 3_600
/**
 * The seconds after an event during which the message about it waits for the meeting link that a calendar system
 * creates, and the seconds between two checks whether the link exists.
 */
const maxMeetingSeconds = 180
const meetingSeconds = 5

/** A channel by which notifications are sent. */
export interface ChannelSender {
  readonly channel: Channel
  /** Whether the settings request messages of a kind on this channel. */
  wants(settings: NotificationSettings, kind: NotificationKind): boolean
  deliver(run: JobRun, delivery: MessageDelivery): Promise<JobResult>
}

/**
 * Returns the handlers of the jobs that mail notifications and test messages, and that plan reminders and follow-ups.
 */
export function notificationJobs(options: SendOptions): readonly JobHandler[] {
  const { app } = options
  const channel: ChannelSender = {
    channel: 'email',
    wants: ({ disabled }, kind) => !disabled.includes(kind),
    deliver: (run, delivery) => deliver(options, run, delivery),
  }
  return [
    {
      ...{ kind: jobKinds.event, concurrency: 8, maxAttempts, delays, outbound: true },
      run: async (payload, run) => runEvent(options, payload as EventJob, run, channel),
    },
    {
      ...{ kind: jobKinds.timed, concurrency: 8, maxAttempts, delays, outbound: true },
      run: async (payload, run) => runTimed(options, payload as TimedJob, run, channel),
    },
    {
      ...{ kind: jobKinds.test, concurrency: 1, maxAttempts: 1, outbound: true },
      run: async (payload, run) => runTest(options, payload as { readonly id: string; readonly to: string }, run),
    },
    {
      ...{ kind: jobKinds.plan, concurrency: 1, maxAttempts },
      run: async (_, { signal }) => {
        for (let after: string | null = ''; after !== null; ) {
          signal.throwIfAborted()
          const { next }: { next: string | null } = await performed(app, 'notifications.plan', { after })
          after = next
        }
        return 'done'
      },
    },
  ]
}

/**
 * Sends the message about an event, unless the settings exclude it, another change made it obsolete, or the appointment
 * has ended. The end of the appointment does not prevent a message about the no-show fee. While a meeting link is
 * expected, sending is deferred until at most three minutes after the event.
 */
export async function runEvent(
  options: SendOptions,
  { seq, kind, about }: EventJob,
  run: JobRun,
  channel: ChannelSender,
): Promise<JobResult> {
  const { app } = options
  const cursor = parseSeq(seq)
  const event = cursor && (await findEvent(app.db, cursor))
  const states = event && reservationStates(event)
  if (!event || !states || !isNotificationKind(kind)) return 'done'
  const now = app.now()
  const change = announcedChange(
    { ...event, ...states },
    await listSurroundings(app.db, event),
    propertiesOf(kind).audience,
  )
  const due = change && matchingKind(change, { kind, about }, now)
  // When the customer has been erased, the event contains no states and no message is sent.
  const described = about === 'previous' ? change?.before : change?.after
  if (!due || !described) return 'done'
  const stored = await loadSettings(app.db)
  const { settings } = stored
  if (!settings.enabled || !channel.wants(settings, due)) return 'done'
  const state = await findSubject(app.db, due, described)
  if (!state || (state.end <= now && !isAboutFee(due))) return 'done'
  const awaited = await awaitedMeeting(app.db, state, now)
  if (awaited === 'expected' && event.createdAt + maxMeetingSeconds > now)
    return settle(app, run, { kind: 'again', runAt: now + meetingSeconds })
  // If a cancelled reservation was restored before its cancellation was announced, the recipient still expects the
  // appointment and needs no message.
  if (event.type === 'reservation.restored' && (await expectsReservation(options, due, state.id, channel)))
    return 'done'
  // Such a move preserves the wall time that the recipient knows. By the new rules, the former instant has another one.
  const isNamed = due !== 'confirmed' && !keepsWallTime(event)
  const previousStart = isNamed ? await findFormerStart(app.db, change.before, state) : undefined
  const sequence = Math.max(0, event.createdAt - (described.created ?? event.createdAt))
  const current = { ...state, ...(awaited !== 'expected' && { meeting: awaited }) }
  return channel.deliver(run, { stored, kind: due, state: current, previousStart, sequence, key: `${event.id}.${due}` })
}

/**
 * Returns the kind of notification to send instead of `kind`: the one that `change` causes for the same audience and
 * with the same `about` (whether the message describes the reservation after or before the change); undefined when
 * `change` causes none. `kind` was determined from one event, whereas `change` may combine several events (see
 * `announcedChange`).
 */
function matchingKind(
  change: ReservationStates,
  { kind, about }: DueNotification,
  now: number,
): NotificationKind | undefined {
  const { audience } = propertiesOf(kind)
  return notificationsOfChange(change, now).find(
    (due) => due.about === about && propertiesOf(due.kind).audience === audience,
  )?.kind
}

/**
 * Sends a reminder or a follow-up, unless the settings exclude it, the reservation is no longer confirmed, its start or
 * end has changed, the customer missed the visit, or the message would come too late to be useful. Quiet hours defer
 * the message, but a reminder that would then come too late is sent at once.
 */
export async function runTimed(
  options: SendOptions,
  payload: TimedJob,
  run: JobRun,
  channel: ChannelSender,
): Promise<JobResult> {
  const { app } = options
  const { kind, reservationId, minutes, start, end } = payload
  const now = app.now()
  const stored = await loadSettings(app.db)
  const { settings } = stored
  const planned = kind === 'reminder' ? settings.reminders.includes(minutes) : settings.followUp === minutes
  if (!settings.enabled || !channel.wants(settings, kind) || !planned) return 'done'
  const state = await findReservation(app.db, reservationId)
  const unchanged = state?.status === 'confirmed' && state.start === start && state.end === end
  if (!unchanged || !isUseful(payload, state, now)) return 'done'
  if (kind === 'follow_up' && state.attendance.state === 'no_show') return 'done'
  const later = await quietUntil(options, settings, now)
  const inTime = kind === 'follow_up' || (isUseful(payload, state, later) && later <= start - secondsBeforeStart)
  if (later > now && inTime) return settle(app, run, { kind: 'again', runAt: later })
  return channel.deliver(run, {
    stored,
    kind,
    state,
    sequence: 0,
    key: `${reservationId}.${kind}.${minutes}.${start}`,
  })
}

/** Returns the end of the current quiet hours; `now` outside of quiet hours. */
async function quietUntil({ app }: SendOptions, { quietHours }: NotificationSettings, now: number): Promise<number> {
  if (!quietHours) return now
  const { site } = await loadCatalogue(app.db)
  return quietEnd(quietHours, site.timezone, now)
}

const toldCustomers = [
  'confirmed',
  'rescheduled',
  'request_received',
  'declined',
  'payment_expired',
  'payment_returned',
  'cancelled',
] as const
const toldProviders = ['provider_new', 'provider_changed', 'provider_cancelled'] as const

/**
 * Whether the audience of a kind of message, according to the last message that was sent to it about the reservation by
 * the same channel, expects the appointment to take place.
 */
async function expectsReservation(
  { app }: SendOptions,
  kind: NotificationKind,
  id: string,
  { channel }: ChannelSender,
): Promise<boolean> {
  const { audience } = propertiesOf(kind)
  if (audience === 'staff') return false
  const kinds = audience === 'customer' ? toldCustomers : toldProviders
  const last = await findLastSent(app.db, { reservationId: id, channel, kinds })
  return last !== undefined && !isAboutCancellation(last)
}

/** One message about a reservation, before it is composed. */
export interface MessageDelivery {
  readonly stored: StoredSettings
  readonly kind: NotificationKind
  readonly state: Subject
  readonly previousStart?: number | undefined
  readonly sequence: number
  /**
   * Identifies the message, with the same value at every attempt to send it; in mail, the part of the Message-ID
   * before the `@`.
   */
  readonly key: string
}

/** Composes and sends one message about a reservation, and adds its outcome to the log of messages. */
async function deliver(options: SendOptions, run: JobRun, delivery: MessageDelivery): Promise<JobResult> {
  const { app, origin } = options
  const { stored, kind, state, sequence, key } = delivery
  const { settings } = stored
  const { audience, optional } = propertiesOf(kind)
  const calendar = await fileMethod(app.db, kind, state)
  const { previousStart } = delivery
  const logoUrl = `${origin()}${logoPath}`
  const addressed = await loadAddressed(app.db, {
    ...{ kind, state, previousStart, settings, logoUrl, channel: 'email' },
  })
  if (!addressed) return 'done'
  const { recipient, customer, catalogue, source } = addressed
  const { locale, service } = source
  const entryOf = entryMaker(app, run, {
    ...{ kind, reservationId: state.id, customerId: audience === 'customer' ? customer.id : null },
    ...{ recipient: recipient.address, locale, channel: 'email' },
  })
  const suppression = await findSuppression(app.db, emailKey(recipient.address))
  if (suppression && (suppression.reason === 'bounced' || optional)) {
    const entry = entryOf('', 'skipped', suppression.reason)
    return settle(app, run, { kind: 'done' }, { entry, about: customer.id })
  }
  const host = new URL(origin()).hostname
  const unsubscribeUrl = optional ? `${origin()}/unsubscribe/?id=${run.id}` : undefined
  const action = await actionOf(options, kind, catalogue, state)
  const receipts = action?.kind === 'manage' ? await receiptLinks(app, action.url, state) : []
  const composed = await compose({ ...source, unsubscribeUrl, action, receipts, deadline: state.expires })
  const from = { name: settings.from.name || catalogue.site.name, address: settings.from.address }
  const message: MailMessage = {
    messageId: `<${key}@${host}>`,
    thread: `<${state.id}@${host}>`,
    ...{ from, replyTo: settings.replyTo, ...composed },
    to: { name: recipient.name, address: recipient.address },
    ...(unsubscribeUrl !== undefined && { unsubscribeUrl }),
    ...(calendar && {
      calendar: {
        method: calendar,
        content: await calendarFile({
          ...{ method: calendar, uid: `${state.id}@${host}`, sequence, start: state.start, end: state.end },
          isTentative: state.status === 'pending',
          now: app.now(),
          summary: summaryOf(audience, { catalogue, service: service.name, customer: customer.name }),
          description: composed.text,
          meeting: source.meeting,
          organizer: from,
          attendee: recipient,
        }),
      },
    }),
  }
  return send(options, run, { stored, message, entryOf, about: customer.id })
}

/**
 * The kinds of messages that link to the page on which the customer manages the reservation, while the booking page is
 * enabled.
 */
const managed: ReadonlySet<NotificationKind> = new Set([
  'request_received',
  'confirmed',
  'rescheduled',
  'reminder',
  'follow_up',
  'fee_charged',
])

/**
 * Returns the link in a message about a reservation. Undefined when messages of its kind have none, when the
 * reservation was removed or has another customer by now, and when the booking page is disabled and the link would lead
 * to the page on which the customer manages the reservation.
 */
export async function actionOf(
  { app, origin }: SendOptions,
  kind: NotificationKind,
  catalogue: Catalogue,
  { id, customerId }: Pick<Subject, 'id' | 'customerId'>,
): Promise<MessageSource['action']> {
  const isManaged = managed.has(kind) && (await isPageOpen(app, catalogue))
  if (!isManaged && kind !== 'verify_email' && kind !== 'fee_requested') return undefined
  const reservation = await findReservation(app.db, id)
  if (reservation?.customerId !== customerId) return undefined
  if (kind === 'verify_email') return { kind: 'verify', url: origin() + verifyPath(catalogue, reservation) }
  if (kind === 'fee_requested') return { kind: 'pay', url: `${origin() + managePath(catalogue, reservation)}payment/` }
  return { kind: 'manage', url: origin() + managePath(catalogue, reservation) }
}

async function receiptLinks({ db }: SendOptions['app'], manageUrl: string, state: Subject) {
  const receipts = await listReceiptsOfCustomer(db, state)
  return receipts
    .filter(({ kind }) => kind === 'receipt')
    .map(({ number, id: receiptId }) => ({ number, url: `${manageUrl}receipt/?id=${receiptId}` }))
}

// While the booking page is disabled, messages do not link to the page on which the customer manages the reservation,
// although that page remains available.
async function isPageOpen({ db }: SendOptions['app'], catalogue: Catalogue): Promise<boolean> {
  return (await loadPages(db, catalogue)).settings.enabled
}

function summaryOf(
  audience: string,
  { catalogue, service, customer }: { catalogue: Catalogue; service: string; customer: string },
): string {
  return audience === 'customer' ? `${service} – ${catalogue.site.name}` : `${customer} – ${service}`
}

async function runTest(
  options: SendOptions,
  { id, to }: { readonly id: string; readonly to: string },
  run: JobRun,
): Promise<JobResult> {
  const { app, origin } = options
  const stored = await loadSettings(app.db)
  const { settings } = stored
  const { site } = await loadCatalogue(app.db)
  const name = settings.from.name || site.name
  const subject = `Test message of ${name}`
  const text = `This is a test message of ${name}. Outgoing mail works.`
  const message = {
    messageId: `<${id}@${new URL(origin()).hostname}>`,
    thread: '',
    from: { name, address: settings.from.address },
    replyTo: settings.replyTo,
    to: { name: '', address: to },
    ...{ subject, text },
    html: layout({
      ...{ locale: 'en', subject, paragraphs: [text], details: [], note: '' },
      site: brandOf(site, `${origin()}${logoPath}`),
    }),
  }
  const outcome = await sendOver(options, stored, message, run.signal)
  const make = entryMaker(app, run, {
    kind: 'test',
    reservationId: null,
    customerId: null,
    recipient: to,
    locale: 'en',
    channel: 'email',
  })
  const sent = outcome.state === 'sent'
  const entry = { ...make(subject, sent ? 'sent' : 'failed', sent ? '' : outcome.why), id }
  return settle(app, run, { kind: 'done' }, { entry })
}
