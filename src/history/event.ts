/** Who made a change: an API token, a command-line command, a background job, a user of the panel or a customer. */
export interface Actor {
  readonly kind: 'token' | 'command' | 'worker' | 'user' | 'customer'
  readonly id: string
}

/** The types of events in the event log. */
export type EventType =
  | 'reservation.created'
  | 'reservation.updated'
  | 'reservation.rescheduled'
  | 'reservation.pending'
  | 'reservation.confirmed'
  | 'reservation.cancelled'
  | 'reservation.restored'
  | 'reservation.removed'
  | 'reservation.attendance'
  | 'reservation.zone_changed'
  | 'customer.created'
  | 'customer.updated'
  | 'customer.removed'
  | 'customer.merged'
  | 'customer.erased'
  | 'customer_note.created'
  | 'customer_note.removed'
  | 'sms_consent.given'
  | 'sms_consent.withdrawn'
  | 'service.created'
  | 'service.updated'
  | 'service.removed'
  | 'provider.created'
  | 'provider.updated'
  | 'provider.removed'
  | 'time_off.created'
  | 'time_off.updated'
  | 'time_off.removed'
  | 'calendar.created'
  | 'calendar.updated'
  | 'calendar.removed'
  | 'calendar.feed_created'
  | 'calendar.feed_revoked'
  | 'host_user.created'
  | 'token.created'
  | 'token.revoked'
  | 'webhook.created'
  | 'webhook.updated'
  | 'webhook.removed'
  | 'webhook.secret_rotated'
  | 'webhook.disabled'
  | 'webhook.failing'
  | 'site.updated'
  | 'site.secret_rotated'
  | 'site.backup_overdue'
  | 'booking_page.updated'
  | 'booking_page.link_created'
  | 'booking_page.link_revoked'
  | 'booking_page.deletion_requested'
  | 'booking_page.deletion_declined'
  | 'booking_page.host_secret_set'
  | 'booking_page.host_secret_removed'
  | 'payment.paid'
  | 'payment.expired'
  | 'payment.returned'
  | 'payment.refunded'
  | 'payment.refund_failed'
  | 'payment.written_off'
  | 'payment.disputed'
  | 'payment.dispute_won'
  | 'payment.dispute_lost'
  | 'payment.card_saved'
  | 'payment.card_removed'
  | 'payment.fee_declined'
  | 'payment_settings.updated'
  | 'payment_settings.differences_found'
  | 'payment_settings.difference_resolved'
  | 'notification_settings.updated'
  | 'notification_template.updated'
  | 'user.created'
  | 'user.updated'
  | 'user.removed'
  | 'user.invited'
  | 'user.password_set'
  | 'user.second_factor_changed'
  | 'user.signed_in'
  | 'user.signed_out'

/** The display name of every type of event, by kind of object and action, such as `reservation` and `created`. */
export type EventNames = {
  readonly [Kind in EventKind]: { readonly [Type in EventType as ActionOf<Type, Kind>]: string }
}

type ActionOf<Type extends EventType, Kind extends string> = Type extends `${Kind}.${infer Action}` ? Action : never

/** The events of signing in and out, which only administrators may read. */
export const signInEvents = ['user.signed_in', 'user.signed_out'] as const satisfies readonly EventType[]

/** A change reported by an operation; id, position, time and actor are added when it is appended to the log. */
export interface Change {
  readonly type: EventType
  /** The id of the object that the change concerns, as text. */
  readonly objectId: string
  /** The state of the object after the change; null when the object was removed or the event does not contain it. */
  readonly object: Readonly<Record<string, unknown>> | null
  /** The state of the object before the change; null when the object was created or the event does not contain it. */
  readonly previous: Readonly<Record<string, unknown>> | null
  /** The id of the log entry that this change undid; absent for a change that is no undo. */
  readonly undid?: string
}

/**
 * One entry of the event log. `seq` sorts as text in log order. The erasure of a customer sets `object` and `previous`
 * to null in all earlier entries about the customer and the customer's reservations.
 */
export interface LoggedEvent extends Change {
  readonly id: string
  readonly seq: string
  readonly createdAt: number
  readonly actor: Actor
}

/** Returns the kind of object that a type of event concerns: `reservation` for `reservation.created`. */
export function kindOf(type: string): string {
  return type.split('.', 1)[0] ?? ''
}

type EventKind = EventType extends `${infer Kind}.${string}` ? Kind : never

/** The kinds of objects. Each type of event begins with one of them, such as `reservation.created`. */
export const eventKinds: readonly EventKind[] = [
  'reservation',
  'customer',
  'customer_note',
  'sms_consent',
  'service',
  'provider',
  'time_off',
  'calendar',
  'host_user',
  'token',
  'webhook',
  'site',
  'booking_page',
  'payment',
  'payment_settings',
  'notification_settings',
  'notification_template',
  'user',
]

/** The kinds of events in the event feed of integrations; all other kinds, such as `token` or `site`, are excluded. */
export const feedKinds = ['reservation', 'payment', 'customer', 'service', 'provider', 'host_user'] as const

/**
 * Returns an event in the format for integrations. The states before and after the change leave out refunds, overrides
 * of booking rules by staff, the reasons for write-offs and cancellations, the internal note of staff, the broken rules
 * that staff accepted for a reservation in conflict, whether the customer is to be notified, changes of the price, and
 * the `details` of customers.
 */
export function publicEvent({ id, seq, type, objectId, createdAt, actor, object, previous }: LoggedEvent) {
  return {
    id,
    seq,
    type,
    objectId,
    createdAt,
    actor,
    object: object && publicFields(object),
    previous: previous && publicFields(previous),
  }
}

const privateFields: ReadonlySet<string> = new Set([
  'override',
  'notifyCustomer',
  'cancelReason',
  'note',
  'keptDespite',
  'fullPrice',
  'refund',
  'writeOffReason',
  'details',
])

function publicFields(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !privateFields.has(name)))
}
