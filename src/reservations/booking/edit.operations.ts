import { slotId } from '../../availability/slot-id.ts'
import { type Parties, resolvedEnd } from '../../availability/slot-plan.operations.ts'
import { lockCatalogue, requireProvider, requireService } from '../../catalogue/catalogue.operations.ts'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { requireCustomer } from '../../customers/customers.operations.ts'
import { type Data, mergeData, sameJson } from '../../data.ts'
import type { Operation, Tx } from '../../db/perform/app.ts'
import { message } from '../../messages/message.ts'
import { Refusal } from '../../messages/refusal.ts'
import type { Offer, RequestedSlot } from '../../scheduling/plan/plan.ts'
import { assignment } from '../../scheduling/routing/routing.ts'
import {
  assignedByOverride,
  type OverrideIntent,
  type RuleOverride,
  ruleOverrideOf,
  shownRuleOverride,
} from '../../scheduling/rule-override.ts'
import { sourceFor } from '../../scheduling/rules/rule-case.ts'
import { withoutNoShowFee } from '../attendance/attendance.operations.ts'
import { expectedAttendance } from '../attendance/attendance.ts'
import { meetingAfter } from '../meeting.ts'
import { newRoom } from '../meeting-room.operations.ts'
import { hasSeat, releaseSeats, renewSeats, seatOwner } from '../occupancy.sql.ts'
import type { ReservationPayment } from '../payment.ts'
import {
  type CancellationRefund,
  type EditResult,
  isDoubleBooked,
  linkVersionAfter,
  movesSlot,
  paymentAfter,
  type Reservation,
  type ReservationChange,
  type ReservationProgress,
  reservationChange,
  type SlotPrice,
  shownCancelReason,
  shownFullPrice,
  shownNotice,
  shownRefund,
  shownReservation,
  waitsAfter,
} from '../reservation.ts'
import { updateReservation } from '../reservations.sql.ts'
import { countAssignment } from './assignments.sql.ts'
import { requireInterval } from './interval.ts'
import {
  findParties,
  lockBooking,
  occupy,
  requireCustomerAllowed,
  requireOffer,
  requireOfferWithOverride,
  requireRoom,
  requireRoomWithOverride,
} from './offer.operations.ts'
import {
  lockOwnReservation,
  placed,
  requireFittingData,
  requireSlotId,
  takesRoom,
  wallClock,
} from './reservations.operations.ts'
import { type ExpectedPrice, movedPrice, priceAt, reducedPrice, requirePrice } from './slot-price.ts'

/**
 * The reason for which staff override booking rules; the history stores the reason and the broken rules. Occupancy and
 * capacity can be overridden only by a deliberate double booking, which the provider's settings must allow.
 */
export interface StaffOverride {
  readonly reason: string
  readonly doubleBook?: boolean
}

/** Returns the exceptions to the booking rules that an override by staff requests. */
export function intentOf({ doubleBook = false }: StaffOverride): OverrideIntent {
  return { doubleBook }
}

/** The input of `editReservation`: the changes of a reservation, and how they are checked. */
export interface EditReservation extends ReservationChange {
  readonly id: string
  /**
   * The id of the new slot, checked in addition to the booking rules; ignored when the slot does not change, and when
   * the reservation is cancelled after the edit.
   */
  readonly availabilityId?: string
  /** The reason for which staff override booking rules; when present, the edit may break rules. */
  readonly override?: StaffOverride
  /** Whether the minimum notice is not required for a new slot, because the customer already has an appointment. */
  readonly waivesNotice?: boolean
  /** The price that the caller displayed, checked only when the slot changes. */
  readonly expectedPrice?: ExpectedPrice
  /** Changes of the reservation's data, merged key by key; null deletes a key. */
  readonly data?: Data
  /** Why the reservation is cancelled; ignored unless the edit cancels it. */
  readonly cancelReason?: string
  /**
   * What is refunded when the edit cancels the reservation; the amount by the service's cancellation rule when absent.
   * Ignored by other edits.
   */
  readonly refund?: CancellationRefund
  /** Whether the customer is notified of the edit; true when absent. */
  readonly notify?: boolean
  /** What the reservation had at the new slot before it was moved away from there. */
  readonly formerly?: FormerTerms
  /** Restricts the edit to reservations of this provider; the reservation of another provider is refused as unknown. */
  readonly ofProvider?: number
  /** What the pending reservation waits for after the edit, and when it expires. */
  readonly awaiting?: Pick<ReservationProgress, 'awaits' | 'expiresAt'>
  /**
   * The new state of the payment; when it contains a coupon, the price of the reservation becomes the reduced price.
   */
  readonly payment?: ReservationPayment
}

/** The price and the attendance that a reservation gets at a new slot to which it returns. */
export interface FormerTerms {
  /** The price before the reduction by a coupon. */
  readonly price: SlotPrice
  readonly attendance: Reservation['attendance']
}

/**
 * Changes a reservation. Moving it to another slot and restoring a cancelled one are checked against the booking rules
 * like a new booking, except that the seats that the reservation itself occupies count as free. A move of a cancelled
 * reservation that is not restored is not checked against these rules.
 */
export const editReservation: Operation<EditReservation, EditResult> = async (tx, input) => {
  const catalogue = await lockCatalogue(tx)
  return editLocked(tx, { catalogue, before: await lockOwnReservation(tx, input), input })
}

/** Changes a reservation like `editReservation`; the caller must have locked the catalogue and the reservation. */
export async function editLocked(tx: Tx, asked: Omit<Edit, 'after' | 'parties'>): Promise<EditResult> {
  const { catalogue, before, input } = asked
  await requireKnown(tx, asked)
  const after = edited(catalogue, before, input)
  const parties = findParties(catalogue, after)
  await lockBooking(tx, [...new Set([before.customerId, after.customerId])], bothSides(catalogue, before, parties))
  if (after.customerId !== before.customerId) await requireCustomer(tx, after.customerId)
  const { settled, exception } = await settle(tx, { catalogue, before, after, input, parties })
  if (sameReservation(before, settled)) return { change: null }
  const meeting = meetingAfter(before, settled, parties, newRoom())
  const saved = { ...settled, meeting, updatedAt: tx.now, version: before.version + 1 }
  await updateReservation(tx.db, saved)
  const change = await tx.append({
    type: reservationChange(before, saved),
    objectId: saved.id,
    object: {
      ...shownReservation(saved, { full: true }),
      ...shownRuleOverride(exception),
      ...shownNotice(input.notify),
      ...shownCancelReason(saved),
      ...shownFullPrice(saved, before),
      ...shownRefund(saved, input.refund),
    },
    previous: {
      ...shownReservation(before, { full: true }),
      ...shownCancelReason(before),
      ...shownFullPrice(before, saved),
    },
  })
  return { change }
}

interface Edit {
  readonly catalogue: Catalogue
  readonly before: Reservation
  readonly after: Reservation
  readonly input: EditReservation
  /**
   * The service and the provider of the reservation after the edit; undefined when one of them was removed, which is
   * refused unless the reservation is cancelled.
   */
  readonly parties: Parties | undefined
}

interface Settled {
  readonly settled: Reservation
  /** The reason of staff and the rules that they overrode; undefined when no rule was overridden. */
  readonly exception?: RuleOverride | undefined
}

/** Checks the edit, takes or releases seats of the slot accordingly, and returns the reservation to store. */
async function settle(tx: Tx, edit: Edit): Promise<Settled> {
  const { before, after } = edit
  if (after.status === 'cancelled') {
    if (before.status !== 'cancelled') await releaseSeats(tx.db, before.id)
    return { settled: movesSlot(before, after) ? movedWhileCancelled(edit, tx.now) : after }
  }
  const parties = requireParties(edit)
  if (movesSlot(before, after) || before.status === 'cancelled') return takeNewSlot(tx, edit, parties)
  if (before.customerId !== after.customerId) {
    const customer = await requireCustomer(tx, after.customerId)
    await requireCustomerAllowed(tx, parties, { wanted: after, customer, except: before.id })
  }
  const sameRoom = before.status === after.status && before.awaits === after.awaits
  return sameRoom ? { settled: after } : settleRoom(tx, edit, parties)
}

async function takeNewSlot(tx: Tx, { before, after, input }: Edit, parties: Parties): Promise<Settled> {
  const moves = movesSlot(before, after)
  const customer = await requireCustomer(tx, after.customerId)
  if (moves && input.availabilityId !== undefined) requireSlotId(parties, input.availabilityId, after, tx.now)
  const asked = {
    ...{ wanted: after, customer, except: before.id },
    ...(input.waivesNotice && { at: latestNotice(parties, after, tx.now) }),
  }
  const { offer, exception, doubled } = input.override
    ? ruleOverrideOf(
        await requireOfferWithOverride(tx, parties, { ...asked, ...intentOn(before, after, input.override) }),
        input.override.reason,
      )
    : { offer: await requireOffer(tx, parties, asked), exception: undefined, doubled: undefined }
  const slot = { ...placed(parties, offer, exception), ...input.formerly?.price }
  if (moves) requirePrice(slot, input.expectedPrice)
  const released = await releaseSeats(tx.db, before.id)
  if (takesRoom(parties.service, after)) await occupy(tx, seatOwner(after, released), offer, doubled)
  if (!moves) return { settled: inSameSlot(after, offer, exception), exception }
  if (before.serviceId !== after.serviceId || before.providerId !== after.providerId)
    await countAssignment(tx.db, {
      service: after.serviceId,
      provider: after.providerId,
      now: tx.now,
      turn: tx.newOrdinal(),
    })
  const availabilityId = shownAs(parties, after, input, tx.now)
  return { settled: { ...after, ...slot, ...movedPrice(parties.service, after, slot), availabilityId }, exception }
}

/**
 * Returns the exceptions that an override by staff requests. A reservation that is already double-booked, and whose
 * slot does not change, may be double-booked even if the override does not request it.
 */
function intentOn(before: Reservation, after: Reservation, override: StaffOverride): OverrideIntent {
  const { doubleBook } = intentOf(override)
  return { doubleBook: doubleBook || (!movesSlot(before, after) && isDoubleBooked(before)) }
}

/**
 * Returns the time (Unix seconds) for which a slot is checked so that its minimum notice is satisfied: the latest time
 * at which the slot can be booked with its minimum notice, or `now`, whichever is earlier.
 */
function latestNotice({ catalogue, service, provider }: Parties, { start }: RequestedSlot, now: number): number {
  return Math.min(now, start - sourceFor(catalogue, service, provider).rule.leadTime)
}

/**
 * Takes, releases or renews the seats of a reservation whose slot does not change, as its new status and what it waits
 * for require.
 */
async function settleRoom(tx: Tx, { before, after, input }: Edit, parties: Parties): Promise<Settled> {
  const needed = takesRoom(parties.service, after)
  if (needed) {
    const seated =
      before.expiresAt === after.expiresAt
        ? await hasSeat(tx.db, before.id, tx.now)
        : await renewSeats(tx.db, seatOwner(after), tx.now)
    if (seated) return { settled: after }
  }
  await releaseSeats(tx.db, before.id)
  if (!needed) return { settled: after }
  const { offer, exception, doubled } = input.override
    ? ruleOverrideOf(
        await requireRoomWithOverride(tx, parties, {
          ...{ wanted: after, except: before.id },
          ...intentOn(before, after, input.override),
        }),
        input.override.reason,
      )
    : { offer: await requireRoom(tx, parties, after, before.id), exception: undefined, doubled: undefined }
  await occupy(tx, seatOwner(after), offer, doubled)
  return { settled: inSameSlot(after, offer, exception), exception }
}

/**
 * Returns a reservation that has taken seats of its slot again, with the rules that staff overrode for these seats. A
 * double-booked reservation whose new seats break no rule is no longer double-booked. One that was moved while it was
 * cancelled is assigned now.
 */
function inSameSlot(after: Reservation, offer: Offer, exception: RuleOverride | undefined): Reservation {
  if (after.assignedBecause !== null && !exception && !isDoubleBooked(after)) return after
  return { ...after, assignedBecause: exception ? assignedByOverride(offer, exception) : assignment(offer) }
}

// 9999-12-31T23:59:59Z in Unix seconds, the last instant with a four-digit year.
const latest = 253_402_300_799

function movedWhileCancelled({ after, input, parties }: Edit, now: number): Reservation {
  if (after.start < 0 || after.end > latest)
    throw new Refusal({
      code: 'invalid_parameter',
      message: message('interval_out_of_range'),
      details: {
        [after.start < 0 ? 'start' : 'end']: message('instant_out_of_range'),
      },
    })
  // Lists search only as far back from their start as the longest appointment reaches.
  requireInterval(after.start, after.end)
  if (!parties) return { ...after, ...wallClock({ provider: { timezone: after.zone } }, after.start) }
  const { catalogue, service, provider } = parties
  // A reservation can be moved without a slot id, so the id of the new slot is computed here.
  const availabilityId = slotId(catalogue.secret, after, now)
  const { rule } = sourceFor(catalogue, service, provider)
  const price = input.formerly?.price ?? priceAt(catalogue, { rule, provider }, after)
  requirePrice(price, input.expectedPrice)
  const moved = { ...after, ...wallClock(parties, after.start), ...movedPrice(service, after, price) }
  return { ...moved, availabilityId, assignedBecause: null }
}

// Returns the slot id to store: the one in the edit, or a computed one.
function shownAs({ catalogue }: Parties, wanted: RequestedSlot, input: EditReservation, now: number): string {
  return input.availabilityId ?? slotId(catalogue.secret, wanted, now)
}

/**
 * Returns the reservation after the edit; with a new service or start but no new end, it has the service's usual
 * duration, or its old length if its service or provider was removed.
 */
function edited(catalogue: Catalogue, before: Reservation, input: EditReservation): Reservation {
  const data = input.data ? mergeData(before.data, input.data) : before.data
  if (input.data) requireFittingData(data)
  const { status = before.status } = input
  const customer = { customerId: input.customerId ?? before.customerId }
  const named = {
    ...before,
    ...customer,
    serviceId: input.serviceId ?? before.serviceId,
    providerId: input.providerId ?? before.providerId,
    start: input.start ?? before.start,
    end: input.end ?? before.end,
    status,
    cancelReason: cancelReasonOf(before, input),
    ...waitsAfter(before, status),
    ...(status === 'pending' && input.awaiting),
    payment: input.payment ?? paymentAfter(before, customer),
    ...(input.payment && reducedPrice(input.payment)),
    data,
    linkVersion: linkVersionAfter(before, customer),
  }
  const resolves = input.end === undefined && (named.serviceId !== before.serviceId || named.start !== before.start)
  const parties = resolves ? findParties(catalogue, named) : undefined
  const usualEnd = parties ? resolvedEnd(parties, named.start) : named.start + before.end - before.start
  const timed = resolves ? { ...named, end: usualEnd } : named
  // The attendance belongs to the old time, so it is reset when the start changes.
  const { attendance = expectedAttendance } = input.formerly ?? {}
  const after =
    timed.start !== before.start ? { ...timed, attendance, payment: withoutNoShowFee(timed.payment) } : timed
  if (after.end <= after.start)
    throw new Refusal({
      code: 'invalid_parameter',
      message: message('end_not_after_start'),
      details: {
        end: message('must_be_after_start'),
      },
    })
  return after
}

function cancelReasonOf(before: Reservation, { status = before.status, cancelReason = '' }: EditReservation): string {
  if (status !== 'cancelled') return ''
  return before.status === 'cancelled' ? before.cancelReason : cancelReason
}

// Only new ids are checked, since the service and the provider of a cancelled reservation may have been removed, and a
// client may send their ids back.
async function requireKnown(tx: Tx, { catalogue, before, input }: Omit<Edit, 'after' | 'parties'>): Promise<void> {
  const { serviceId = before.serviceId, providerId = before.providerId, customerId = before.customerId } = input
  if (serviceId !== before.serviceId) requireService(catalogue, serviceId)
  if (providerId !== before.providerId) requireProvider(catalogue, providerId)
  // The customer is locked later, with the slot, and then checked again.
  if (customerId !== before.customerId) await requireCustomer(tx, customerId)
}

function requireParties({ catalogue, after, parties }: Edit): Parties {
  if (parties) return parties
  if (catalogue.service(after.serviceId)) requireProvider(catalogue, after.providerId)
  throw new Refusal({
    code: 'service_not_found',
    message: message('service_of_reservation_gone', { id: after.serviceId }),
  })
}

function bothSides(catalogue: Catalogue, before: Reservation, after: Parties | undefined): Parties[] {
  return [findParties(catalogue, before), after].filter((parties) => parties !== undefined)
}

function sameReservation(one: Reservation, other: Reservation): boolean {
  return (
    !movesSlot(one, other) &&
    one.customerId === other.customerId &&
    one.status === other.status &&
    one.awaits === other.awaits &&
    sameJson(one.payment, other.payment) &&
    sameJson(one.data, other.data)
  )
}
