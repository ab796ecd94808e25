import { type EventType, type feedKinds, kindOf } from '../history/event.ts'

type FeedKind = (typeof feedKinds)[number]

/** The types of events that endpoints receive: those of the event feed, and three more, listed here. */
export type WebhookEventType =
  | Extract<EventType, `${FeedKind}.${string}`>
  | 'token.revoked'
  | 'availability.changed'
  | 'webhook.test'

/** Every event type that endpoints can receive, with a sentence that describes when it occurs. */
export const webhookEvents: Readonly<Record<WebhookEventType, string>> = {
  'reservation.created': 'A reservation was made, pending or confirmed.',
  'reservation.updated':
    'Anything else of a reservation changed: customer, data, payment, meeting or what it waits for, or the slot of a cancelled one.',
  'reservation.rescheduled':
    'A reservation moved to another slot: service, provider, start or end. A move that changes the status too has the type of the status.',
  'reservation.pending': 'A confirmed reservation awaits approval again.',
  'reservation.confirmed': 'A pending reservation was confirmed.',
  'reservation.cancelled': 'A reservation was cancelled.',
  'reservation.restored': 'A cancelled reservation is pending or confirmed again.',
  'reservation.removed': 'A reservation was deleted.',
  'reservation.attendance': 'The desk marked whether the customer came.',
  'reservation.zone_changed': 'A change of zone rules moved the wall time of a reservation.',
  'payment.paid': 'The processor reported that a payment was paid.',
  'payment.expired': 'A payment was not paid in time and can no longer be paid.',
  'payment.returned': 'A payment came too late to be booked and goes back to the payer.',
  'payment.refunded': 'A refund was made.',
  'payment.refund_failed': 'A refund failed; the money is with the processor.',
  'payment.written_off': 'Staff gave up an amount that was due.',
  'payment.disputed': 'A customer disputed a payment with the bank.',
  'payment.dispute_won': 'A dispute was decided for the site.',
  'payment.dispute_lost': 'A dispute was decided against the site.',
  'payment.card_saved': 'A customer saved a card for the fee of a missed visit; nothing was charged.',
  'payment.card_removed': 'A saved card was removed at the processor.',
  'payment.fee_declined': 'The bank did not let the fee of a missed visit be charged.',
  'customer.created': 'A customer was added.',
  'customer.updated': 'A customer changed.',
  'customer.removed': 'A customer was deleted.',
  'customer.merged':
    'Another customer, `mergedFrom`, became part of this one; `customer.removed` and `reservation.updated` report the rest.',
  'customer.erased': 'The personal data of a customer was erased.',
  'service.created': 'A service was added.',
  'service.updated': 'A service changed.',
  'service.removed': 'A service was deleted.',
  'provider.created': 'A provider was added.',
  'provider.updated': 'A provider changed.',
  'provider.removed': 'A provider was deleted.',
  'host_user.created': 'A user of the surrounding platform was added.',
  'token.revoked': 'An API token was revoked.',
  'availability.changed':
    'Slots may have appeared or disappeared, other than by connected calendars, holds of the booking page or the passing of time; changes within five seconds are one event.',
  'webhook.test': 'A user asked for a test event.',
}

/** All types of events that endpoints can receive. */
export const webhookEventTypes = Object.keys(webhookEvents) as readonly WebhookEventType[]

/** The kinds of events that a subscription can name with `.*`, as in `reservation.*`. */
const webhookEventKinds = [...new Set(webhookEventTypes.map(kindOf))]

/** Whether a text is a subscription: an event type, a kind with `.*`, or `*`. */
export function isSubscription(text: string): boolean {
  return text === '*' || Object.hasOwn(webhookEvents, text) || webhookEventKinds.some((kind) => text === `${kind}.*`)
}

/** Whether subscriptions include an event type; never a type that no endpoint receives, such as `token.created`. */
export function isSubscribed(subscriptions: readonly string[], type: string): boolean {
  if (!Object.hasOwn(webhookEvents, type)) return false
  const kind = kindOf(type)
  return subscriptions.some((one) => one === '*' || one === type || one === `${kind}.*`)
}
