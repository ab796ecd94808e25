import type { LoggedEvent } from '../history/event.ts'
import type { NoShowFeeState, ReservationPayment } from '../reservations/payment.ts'
import { type Awaited, movesSlot, type ShownReservation } from '../reservations/reservation.ts'

/** The recipients of a kind of notification. */
export type Audience = 'customer' | 'provider' | 'staff'

interface KindProperties {
  readonly audience: Audience
  /** The iCalendar method of the attached calendar file; no attachment when absent. */
  readonly calendar?: 'REQUEST' | 'CANCEL'
  /** Whether a file that cancels the appointment is attached if an earlier message had one that added it. */
  readonly cancelsEarlierFile?: true
  /** Whether customers can unsubscribe from the kind; quiet hours can delay messages of such a kind. */
  readonly optional?: true
}

/** The properties of every kind of notification about a reservation, by name. */
export const notificationKinds = {
  verify_email: { audience: 'customer' },
  request_received: { audience: 'customer' },
  confirmed: { audience: 'customer', calendar: 'REQUEST' },
  declined: { audience: 'customer', cancelsEarlierFile: true },
  payment_expired: { audience: 'customer', cancelsEarlierFile: true },
  payment_returned: { audience: 'customer', cancelsEarlierFile: true },
  card_returned: { audience: 'customer' },
  fee_charged: { audience: 'customer' },
  fee_requested: { audience: 'customer' },
  rescheduled: { audience: 'customer', calendar: 'REQUEST' },
  cancelled: { audience: 'customer', calendar: 'CANCEL' },
  reminder: { audience: 'customer', optional: true },
  follow_up: { audience: 'customer', optional: true },
  provider_new: { audience: 'provider', calendar: 'REQUEST' },
  provider_changed: { audience: 'provider', calendar: 'REQUEST' },
  provider_cancelled: { audience: 'provider', calendar: 'CANCEL' },
  staff_approval: { audience: 'staff' },
} as const satisfies Readonly<Record<string, KindProperties>>

/** The name of a kind of notification. */
export type NotificationKind = keyof typeof notificationKinds

/** Whether a text is the name of a kind of notification. */
export function isNotificationKind(text: string): text is NotificationKind {
  return Object.hasOwn(notificationKinds, text)
}

/** Returns the properties of a kind of notification. */
export function propertiesOf(kind: NotificationKind): KindProperties {
  return notificationKinds[kind]
}

/** A reservation as an event of the log stores it. */
export type ReservationState = ShownReservation & {
  readonly created?: number
  readonly expires?: number
  readonly awaits?: Awaited | null
  readonly payment?: ReservationPayment | null
  readonly meeting?: string | null
}

/** A notification that an event causes. */
export interface DueNotification {
  readonly kind: NotificationKind
  /**
   * The state of the reservation that the notification describes: the state before the event (`previous`) if the event
   * removes the reservation, or if it moves the reservation to another provider and the notification is for the former
   * provider; otherwise the state after the event (`object`).
   */
  readonly about: 'object' | 'previous'
}

/**
 * Returns the states of a reservation before and after an event, null where the reservation does not exist and in an
 * erased event; undefined when the event changes no reservation.
 */
export function reservationStates({ type, object, previous }: LoggedEvent): ReservationStates | undefined {
  // A report of changed time zone rules contains the state of a reservation, which it leaves as it is.
  if (!type.startsWith('reservation.') || type === 'reservation.zone_changed') return undefined
  return { before: previous as ReservationState | null, after: object as ReservationState | null }
}

/**
 * The states of a reservation before and after a change; null where the reservation does not exist, and in an erased
 * event.
 */
export interface ReservationStates {
  readonly before: ReservationState | null
  readonly after: ReservationState | null
}

/**
 * Returns the notifications that an event causes. Apart from messages about the no-show fee, an event of a
 * reservation that has ended causes none, and neither does the import of a reservation. A change that staff withheld
 * from the customer causes none to the customer.
 */
export function notificationsOf(event: LoggedEvent, now: number): readonly DueNotification[] {
  const states = reservationStates(event)
  if (!states) return []
  const due = notificationsOfChange(states, now)
  return isWithheld(event) ? due.filter(({ kind }) => propertiesOf(kind).audience !== 'customer') : due
}

/**
 * Returns the kinds that a message can have when it is sent, if a change by itself causes `kind`: the message can
 * combine several changes, and then has another kind for the same audience.
 */
export function possibleKinds(kind: NotificationKind): readonly NotificationKind[] {
  const { audience } = propertiesOf(kind)
  const others = Object.keys(notificationKinds).filter(isNotificationKind)
  return others.filter((one) => propertiesOf(one).audience === audience && !propertiesOf(one).optional)
}

/** Whether staff chose not to notify the customer of a change. */
export function isWithheld({ object }: Pick<LoggedEvent, 'object'>): boolean {
  return object?.notifyCustomer === false
}

/** Returns the notifications that a change between two states of a reservation causes. */
export function notificationsOfChange({ before, after }: ReservationStates, now: number): readonly DueNotification[] {
  const last = after ?? before
  const ofFee = feeNotice(before, after)
  if (ofFee) return [{ kind: ofFee, about: 'object' }]
  if (!last || last.end <= now) return []
  if (!before) return after && after.availabilityId !== '' && after.status !== 'cancelled' ? ofNew(after) : []
  if (!after) return before.status === 'cancelled' || before.awaits === 'email' ? [] : ofCancelled(before, 'previous')
  // Until the customer confirms the e-mail address, the request to confirm it is the only notification that was sent.
  if (before.awaits === 'email') return after.status === 'cancelled' || after.awaits === 'email' ? [] : ofNew(after)
  if (after.status === 'cancelled') {
    // A payment that arrived after the booking had expired or was cancelled is refunded, of which the customer is
    // notified. The desk takes nothing for a cancelled reservation.
    const isLate = before.awaits === 'payment' || before.status === 'cancelled'
    if (isLate && paidOf(after) > paidOf(before)) return [{ kind: 'payment_returned', about: 'object' }]
    return before.status === 'cancelled' ? [] : ofCancelled(before, 'object')
  }
  if (before.status !== after.status) return ofNew(after)
  if (before.awaits === 'payment' && after.awaits !== 'payment') return [{ kind: 'staff_approval', about: 'object' }]
  if (!movesSlot(before, after)) return []
  if (after.status === 'pending') return [{ kind: 'rescheduled', about: 'object' }]
  if (before.providerId === after.providerId) return [customersNotice, { kind: 'provider_changed', about: 'object' }]
  return [customersNotice, { kind: 'provider_cancelled', about: 'previous' }, { kind: 'provider_new', about: 'object' }]
}

const customersNotice: DueNotification = { kind: 'rescheduled', about: 'object' }

function ofNew({ status, awaits }: ReservationState): readonly DueNotification[] {
  if (awaits === 'email') return [{ kind: 'verify_email', about: 'object' }]
  // Staff are asked for approval only after the customer has paid.
  if (awaits === 'payment') return [{ kind: 'request_received', about: 'object' }]
  const kinds: readonly NotificationKind[] =
    status === 'pending' ? ['request_received', 'staff_approval'] : ['confirmed', 'provider_new']
  return kinds.map((kind) => ({ kind, about: 'object' }))
}

/** Whether a kind of message is about an appointment that does not take place. */
export function isAboutCancellation(kind: string): boolean {
  return kind.endsWith('cancelled') || kind === 'declined' || kind.startsWith('payment_')
}

// The messages about the fee for a missed visit or the card saved for it; they are sent even if the reservation has
// ended.
const feeNotices: Readonly<Partial<Record<NoShowFeeState, NotificationKind>>> = {
  charged: 'fee_charged',
  requested: 'fee_requested',
  too_late: 'card_returned',
}

/** Whether a kind of message is about the fee for a missed visit, or the card that was saved for it. */
export function isAboutFee(kind: NotificationKind): boolean {
  return Object.values(feeNotices).includes(kind)
}

function feeNotice(before: ReservationState | null, after: ReservationState | null): NotificationKind | undefined {
  const [was, is] = [before?.payment?.noShowFee?.state, after?.payment?.noShowFee?.state]
  // A customer who paid the fee by a link needs no message, so a paid fee is announced only if the card was charged.
  if (is === undefined || is === was || (is === 'charged' && was !== 'charging')) return undefined
  return feeNotices[is]
}

function paidOf({ payment }: ReservationState): number {
  return payment?.paid ?? 0
}

function ofCancelled(
  { status, awaits }: ReservationState,
  about: DueNotification['about'],
): readonly DueNotification[] {
  if (status === 'pending' && awaits === 'payment') return [{ kind: 'payment_expired', about }]
  const kinds: readonly NotificationKind[] = status === 'pending' ? ['declined'] : ['cancelled', 'provider_cancelled']
  return kinds.map((kind) => ({ kind, about }))
}
