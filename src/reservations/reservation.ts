import { sameJson } from '../data.ts'
import type { EventType } from '../history/event.ts'
import type { Message } from '../messages/message.ts'
import { type Attendance, expectedAttendance, shownAttendance } from './attendance/attendance.ts'
import { fullPrice, type ReservationPayment, withoutAgreedFee } from './payment.ts'

/** The status of a reservation. */
export type ReservationStatus = 'pending' | 'confirmed' | 'cancelled'

/**
 * What a pending reservation waits for from its customer: the confirmation of the e-mail address, or the payment (or
 * saved card). It occupies its time while it waits. A reservation that waits for the approval of staff has no such
 * value.
 */
export type Awaited = 'email' | 'payment'

/**
 * How the provider of a reservation was chosen, as stored when it was booked or last moved, or when rules were
 * overridden for it later.
 */
export interface Assignment {
  readonly mode: string
  readonly eligible: readonly number[]
  readonly chosen: number
  /**
   * The id of the provider that the service's routing (its choice among providers) picked when the reservation was
   * booked or last moved.
   */
  readonly picked: number
  readonly because: Message
}

/** An appointment of a customer for a service with a provider. */
export interface Reservation {
  readonly id: string
  readonly serviceId: string
  readonly customerId: string
  readonly providerId: number
  /** The slot id of the reservation's present slot; `''` if the slot was set by an import. */
  readonly availabilityId: string
  readonly start: number
  readonly end: number
  readonly status: ReservationStatus
  readonly data: Readonly<Record<string, unknown>>
  readonly createdAt: number
  readonly updatedAt: number
  /**
   * The price at the booking or the last move, after the reduction by a coupon, in the smallest unit of `currency`;
   * null when there was no price.
   */
  readonly price: number | null
  readonly currency: string | null
  /**
   * The wall time of the start in `zone`, the provider's time zone at the booking or the last move, with the version of
   * the time zone data with which it was last checked. A later change of the zone's rules is detected from them.
   */
  readonly localStart: string
  readonly zone: string
  readonly zoneVersion: string
  readonly assignedBecause: Assignment | null
  /**
   * The id shared by the reservations that one submitted form created; null for a reservation that was booked alone.
   */
  readonly groupId: string | null
  /** When the pending reservation expires and its slot becomes free (Unix seconds); null when it does not expire. */
  readonly expiresAt: number | null
  /**
   * What the reservation waits for or, when cancelled, waited for; null when it waits for the approval of staff or for
   * nothing.
   */
  readonly awaits: Awaited | null
  readonly source: ReservationSource | null
  readonly attendance: Attendance
  /** The internal note of staff, shown in the panel and contained in JSON site files; empty when there is none. */
  readonly note: string
  /** The reason for the cancellation; empty when none was given, or when the reservation is not cancelled. */
  readonly cancelReason: string
  /** How the reservation is paid and what was paid; null while no payment is agreed. */
  readonly payment: ReservationPayment | null
  /** The address at which the reservation takes place online; null when it does not, or is not confirmed. */
  readonly meeting: string | null
  /**
   * The number of times that the reservation got another customer. The links that were sent to the customer contain
   * it, so that the links of the previous customer become invalid.
   */
  readonly linkVersion: number
  readonly version: number
}

/**
 * The page on which the customer booked (`page`), and where the customer came from: the host name of the linking site
 * (`referrer`) and the campaign parameters of the link (`utm_source`, …).
 */
export type ReservationSource = Readonly<Record<string, string>>

/**
 * The default fields of a new reservation: it was booked alone, waits for nothing, does not expire, was not booked on a
 * page, has no note, payment or meeting, and has had one customer.
 */
export const standingAlone = {
  groupId: null,
  expiresAt: null,
  awaits: null,
  source: null,
  attendance: expectedAttendance,
  note: '',
  cancelReason: '',
  payment: null,
  meeting: null,
  linkVersion: 0,
} as const

/** The status of a reservation with what it waits for and when it expires. */
export type ReservationProgress = Pick<Reservation, 'status' | 'awaits' | 'expiresAt'>

/**
 * Whether a booking waits for a payment, a saved card or the confirmation of an e-mail address, and expires otherwise.
 */
export function isAwaiting({ status, awaits }: { readonly status: string; readonly awaits?: string | null }): boolean {
  return status === 'pending' && (awaits ?? null) !== null
}

/** Seconds within which a customer must confirm the e-mail address, or pay online or save a card. */
export const awaitedSeconds: Readonly<Record<Awaited, number>> = { email: 1_800, payment: 1_800 }

/**
 * Whether the reservation was given to another customer since it was booked, so that it no longer belongs to the form
 * with which it was booked. A merge of two customers is no such change.
 */
export function hasChangedCustomer({ linkVersion }: Pick<Reservation, 'linkVersion'>): boolean {
  return linkVersion > 0
}

/**
 * Returns the `linkVersion` of a reservation after an edit that may give it another customer. A merge of two customers
 * is no such edit: their links remain valid.
 */
export function linkVersionAfter(
  before: Pick<Reservation, 'customerId' | 'linkVersion'>,
  { customerId }: Pick<Reservation, 'customerId'>,
): number {
  return before.customerId === customerId ? before.linkVersion : before.linkVersion + 1
}

/**
 * Returns what a reservation waits for after it gets a status, and when it expires. Only a pending reservation waits
 * and expires; a cancelled one retains `awaits` as a record.
 */
export function waitsAfter(
  before: ReservationProgress,
  status: ReservationStatus,
): Pick<ReservationProgress, 'awaits' | 'expiresAt'> {
  if (status !== 'pending') return { awaits: status === 'cancelled' ? before.awaits : null, expiresAt: null }
  const { awaits, expiresAt } = before
  return before.status === 'pending' ? { awaits, expiresAt } : { awaits: null, expiresAt: null }
}

/**
 * Returns the payment of a reservation after an edit that may give it another customer, who has not agreed to its
 * no-show fee.
 */
export function paymentAfter(
  before: Pick<Reservation, 'customerId' | 'payment'>,
  { customerId }: Pick<Reservation, 'customerId'>,
): ReservationPayment | null {
  return before.customerId === customerId ? before.payment : withoutAgreedFee(before.payment)
}

/** An edit of a reservation; an absent field is unchanged. */
export interface ReservationChange {
  readonly serviceId?: string
  readonly customerId?: string
  readonly providerId?: number
  readonly start?: number
  readonly end?: number
  readonly status?: ReservationStatus
}

/** The result of an edit of a reservation. */
export interface EditResult {
  /** The id of the log entry of the change; null when nothing changed. */
  readonly change: string | null
}

/**
 * Whether staff deliberately double-booked the provider when the reservation was booked in its present slot, moved to
 * it, or took seats of it later (as when it is restored).
 */
export function isDoubleBooked({ assignedBecause }: Pick<Reservation, 'assignedBecause'>): boolean {
  return overriddenRules(assignedBecause).some((rule) => rule === 'occupancy' || rule === 'capacity')
}

/**
 * Returns the booking rules that were overridden, by staff or for a customer who paid in time, when the reservation was
 * booked in its present slot, moved to it, or took seats of it later (as when it is restored); empty when none.
 */
export function overriddenRules(assigned: Assignment | null): readonly string[] {
  if (assigned?.because.code !== 'assigned_with_override') return []
  const rules = assigned.because.parameters?.rules
  return Array.isArray(rules) ? rules : []
}

type InSlot = Pick<Reservation, 'serviceId' | 'providerId' | 'start' | 'end'>

/** Whether an edit changes the slot: service, provider, start or end. */
export function movesSlot(from: InSlot, to: InSlot): boolean {
  return (
    from.serviceId !== to.serviceId ||
    from.providerId !== to.providerId ||
    from.start !== to.start ||
    from.end !== to.end
  )
}

/** Returns the event type of a change; a change of status takes precedence over a move. */
export function reservationChange(from: Reservation, to: Reservation): ReservationEvent {
  if (from.status === to.status) {
    return movesSlot(from, to) && to.status !== 'cancelled' ? 'reservation.rescheduled' : 'reservation.updated'
  }
  if (to.status === 'cancelled') return 'reservation.cancelled'
  if (from.status === 'cancelled') return 'reservation.restored'
  return to.status === 'confirmed' ? 'reservation.confirmed' : 'reservation.pending'
}

type ReservationEvent = Extract<EventType, `reservation.${string}`>

/**
 * Returns a reservation in the format of the API contract, for lists, events and webhook payloads. `full` adds the
 * field `data`, the timestamps and, where present, source, attendance, expiry, what it waits for, meeting and payment.
 */
export function shownReservation(of: Reservation, { full }: { readonly full: boolean }) {
  const shown = {
    id: of.id,
    serviceId: of.serviceId,
    customerId: of.customerId,
    providerId: of.providerId,
    availabilityId: of.availabilityId,
    start: of.start,
    end: of.end,
    status: of.status,
  }
  if (!full) return shown
  return {
    ...shown,
    data: of.data,
    created: of.createdAt,
    updated: of.updatedAt,
    ...(of.source && { source: of.source }),
    ...(of.attendance.state !== 'expected' && { attendance: shownAttendance(of.attendance) }),
    ...(of.expiresAt !== null && { expires: of.expiresAt }),
    ...(of.awaits !== null && { awaits: of.awaits }),
    ...(of.meeting !== null && { meeting: of.meeting }),
    ...(of.payment !== null && { payment: of.payment }),
  }
}

/**
 * Returns the field of a logged reservation that marks a change without a notification to the customer; an empty object
 * when the customer is notified.
 */
export function shownNotice(notify: boolean | undefined): { readonly notifyCustomer?: false } {
  return notify === false ? { notifyCustomer: false } : {}
}

/**
 * What is refunded when a reservation is cancelled: the amount by the service's cancellation rule, everything, or
 * nothing.
 */
export type CancellationRefund = 'rule' | 'all' | 'none'

/**
 * Returns the field of a logged reservation that records the refund that staff chose instead of the one by the
 * service's cancellation rule; an empty object when they chose none.
 */
export function shownRefund(
  { status }: Pick<Reservation, 'status'>,
  refund: CancellationRefund = 'rule',
): { readonly refund?: CancellationRefund } {
  return status === 'cancelled' && refund !== 'rule' ? { refund } : {}
}

/**
 * Returns the field of a logged reservation that contains the internal note of staff, which integrations do not see; an
 * empty object without a note.
 */
export function shownNote({ note }: Reservation): { readonly note?: string } {
  return note === '' ? {} : { note }
}

/**
 * Returns the field of a logged reservation that contains the reason for its cancellation, which integrations do not
 * see; an empty object when no reason was given or the reservation is not cancelled.
 */
export function shownCancelReason({ status, cancelReason }: Reservation): { readonly cancelReason?: string } {
  return status === 'cancelled' && cancelReason !== '' ? { cancelReason } : {}
}

/** A price in the smallest unit of its currency; both are null when there is no price. */
export type SlotPrice = Pick<Reservation, 'price' | 'currency'>

/** Returns the price of a reservation before the reduction by its coupon. */
export function fullPriceOf(reservation: Reservation): SlotPrice {
  return { price: fullPrice(reservation), currency: reservation.currency }
}

/**
 * Returns the field of a logged reservation that contains its price before the reduction by a coupon, which
 * integrations do not see; an empty object when the change, which leads to or from `other`, does not change this price.
 */
export function shownFullPrice(of: Reservation, other: Reservation): { readonly fullPrice?: SlotPrice } {
  return sameJson(fullPriceOf(of), fullPriceOf(other)) ? {} : { fullPrice: fullPriceOf(of) }
}

/** A reservation in the format of the API contract, as `shownReservation` returns it. */
export type ShownReservation = ReturnType<typeof shownReservation>
