import { bucketSeconds, checkSlotId } from '../../availability/slot-id.ts'
import { type Parties, resolvedEnd, slotPlan, wholePlan } from '../../availability/slot-plan.operations.ts'
import { lockCatalogue, requireProvider, requireService } from '../../catalogue/catalogue.operations.ts'
import type { Provider } from '../../catalogue/providers/provider.ts'
import { dueOnline, type PaymentMethod, paymentRule } from '../../catalogue/services/payment-rule.ts'
import { type Approval, effectiveSettings, type Service } from '../../catalogue/services/service.ts'
import { reservationRemovalRefusal } from '../../catalogue/site/removal-policy.ts'
import { requireCustomer } from '../../customers/customers.operations.ts'
import { type Data, tooMuchData } from '../../data.ts'
import type { Database } from '../../db/database.ts'
import type { Operation, Tx } from '../../db/perform/app.ts'
import { together } from '../../db/together.ts'
import { message } from '../../messages/message.ts'
import { Refusal, refusal } from '../../messages/refusal.ts'
import { hasPendingRefund } from '../../payments/payments.sql.ts'
import type { Offer, RequestedSlot } from '../../scheduling/plan/plan.ts'
import { assignment } from '../../scheduling/routing/routing.ts'
import {
  assignedByOverride,
  type DoubledSeat,
  type RuleOverride,
  shownRuleOverride,
} from '../../scheduling/rule-override.ts'
import { overridesAt } from '../../scheduling/slots.ts'
import { wallTime } from '../../scheduling/time/zone.ts'
import { firstMeeting } from '../meeting.ts'
import { newRoom } from '../meeting-room.operations.ts'
import { releaseSeats, seatOwner, takeSeats } from '../occupancy.sql.ts'
import { type AppliedCoupon, captured, type ReservationPayment, withPaid } from '../payment.ts'
import {
  type Awaited,
  awaitedSeconds,
  type Reservation,
  type ReservationProgress,
  type ReservationStatus,
  shownNote,
  shownNotice,
  shownReservation,
  standingAlone,
} from '../reservation.ts'
import { reservationLocks } from '../reservation-locks.ts'
import { deleteReservation, findReservation, insertReservation } from '../reservations.sql.ts'
import { countAssignment } from './assignments.sql.ts'
import { findParties, lockBooking, requireFreeSeats, requireOffer } from './offer.operations.ts'
import {
  type ExpectedPrice,
  firstPayment,
  newPayment,
  priceOf,
  reducedPrice,
  requirePrice,
  slotPrice,
} from './slot-price.ts'

/** The input of `addReservation`: the slot to book, the customer, and optionally data and the displayed price. */
export interface AddReservation extends RequestedSlot {
  readonly customerId: string
  /** The slot id from the list of available slots. */
  readonly availabilityId: string
  readonly data?: Data
  readonly expectedPrice?: NonNullable<ExpectedPrice>
}

/**
 * Books a slot from the list of available slots. Checks all rules again after locking the data on which they depend.
 */
export const addReservation: Operation<AddReservation, { id: string }> = async (tx, input) => {
  const catalogue = await lockCatalogue(tx)
  const service = requireService(catalogue, input.serviceId)
  const provider = requireProvider(catalogue, input.providerId)
  const parties = { catalogue, service, provider }
  const [, customer, plan] = await together([
    lockBooking(tx, [input.customerId], [parties]),
    requireCustomer(tx, input.customerId),
    slotPlan(tx.db, parties, { wanted: input, now: tx.now }),
  ])
  requireSlotId(parties, input.availabilityId, input, tx.now)
  const offer = await requireOffer(tx, parties, { wanted: input, customer, plan })
  requirePrice(slotPrice(parties, offer), input.expectedPrice)
  const { availabilityId, data = {} } = input
  return keepReservation(tx, parties, { customerId: customer.id, availabilityId, data, offer })
}

/**
 * Stores a new reservation of an offered slot, with its rule override if any; the customer is notified unless `notify`
 * is false. A reservation that must be paid online or needs a saved card expires unless this is done in time, except
 * when staff booked it (`byStaff`). With `verifiesEmail`, it expires unless the customer confirms the e-mail address.
 */
export async function keepReservation(
  tx: Tx,
  parties: Parties,
  wanted: Pick<Reservation, 'customerId' | 'availabilityId' | 'data'> &
    Partial<Pick<Reservation, 'groupId' | 'source' | 'note'>> & {
      /** The chosen payment method; if undefined or not offered, the service's first. Ignored with `byStaff`. */
      readonly pays?: PaymentMethod | undefined
      /** The coupon that reduces the price. The caller must have checked it, and must record its use. */
      readonly coupon?: AppliedCoupon | undefined
      /**
       * The maximum amount that a voucher pays, in the smallest unit of the currency. The caller must record the
       * payment in the books.
       */
      readonly prepaid?: number
      /** Whether something must be paid online for a seat of the same form, so that this one waits for it as well. */
      readonly groupPaysOnline?: boolean
      readonly offer: Offer
      readonly exception?: RuleOverride | undefined
      readonly doubled?: DoubledSeat | undefined
      readonly notify?: boolean | undefined
      readonly byStaff?: true
      readonly verifiesEmail?: boolean
      /** An approval that the booking needs in any case, whatever the service and the date require. */
      readonly approval?: Approval | undefined
    },
): Promise<{ id: string }> {
  const {
    offer,
    exception,
    doubled,
    notify,
    byStaff = false,
    verifiesEmail = false,
    pays,
    coupon,
    prepaid = 0,
    groupPaysOnline = false,
    approval,
    ...own
  } = wanted
  const { service, provider } = parties
  const agreed = newPayment(service, slotPrice(parties, offer), { byStaff, pays, coupon })
  const payment = agreed && prepaid > 0 ? withPaid(agreed, { paid: Math.min(prepaid, agreed.amount) }) : agreed
  const rules = { approval: approval ?? offer.slot.overrides.approval, payment, groupPaysOnline }
  const first = firstProgress(service, rules, tx.now)
  const booked: Reservation = {
    id: tx.newId('reservation'),
    ...standingAlone,
    ...own,
    ...first,
    ...(byStaff && { awaits: null, expiresAt: null }),
    ...(verifiesEmail && awaiting('email', tx.now)),
    createdAt: tx.now,
    updatedAt: tx.now,
    version: 1,
    ...placed(parties, offer, exception),
    ...reducedPrice(payment),
    payment,
  }
  const made: Reservation = { ...booked, meeting: firstMeeting(booked, parties, newRoom()) }
  const [, seats] = await together([
    insertReservation(tx.db, made),
    takesRoom(service, made) ? requireFreeSeats(tx, seatOwner(made), offer, doubled) : [],
  ])
  await together([
    takeSeats(tx.db, seats),
    countAssignment(tx.db, { service: service.id, provider: provider.id, now: tx.now, turn: tx.newOrdinal() }),
  ])
  await tx.append({
    type: 'reservation.created',
    objectId: made.id,
    object: {
      ...shownReservation(made, { full: true }),
      ...shownRuleOverride(exception),
      ...shownNotice(notify),
      ...shownNote(made),
    },
    previous: null,
  })
  return { id: made.id }
}

/**
 * Deletes a reservation where the site's policy allows it; refuses one for which more was paid than was refunded, a
 * refund is pending, or the no-show fee is being charged. The event log retains its last state until the customer is
 * erased.
 */
export const removeReservation: Operation<{ id: string }, Record<string, never>> = async (tx, { id }) => {
  const catalogue = await lockCatalogue(tx)
  const reservation = await lockReservation(tx, id)
  if (captured(reservation.payment) > 0) throw refusal('reservation_protected')
  // If the refund fails, its amount is returned to the reservation, which must still exist to show it.
  if (reservation.payment && (await hasPendingRefund(tx.db, id))) throw refusal('refund_pending')
  // If the bank has charged the fee, the reservation must still exist to show the payment and its receipt.
  if (reservation.payment?.noShowFee?.state === 'charging') throw refusal('fee_charging')
  const kept = reservationRemovalRefusal(catalogue.site.policies.removal, reservation, tx.now)
  if (kept) throw new Refusal(kept)
  // A booking of the same slot reads the taken seats twice: to check whether one is free, and to choose one. The
  // removal locks the time of the providers like a booking, so that the seat cannot become free between the two reads.
  const parties = findParties(catalogue, reservation)
  if (parties) await lockBooking(tx, [], [parties])
  await releaseSeats(tx.db, id)
  await deleteReservation(tx.db, id)
  await tx.append({
    type: 'reservation.removed',
    objectId: id,
    object: null,
    previous: shownReservation(reservation, { full: true }),
  })
  return {}
}

/**
 * Locks a reservation and the catalogue (see `reservationLocks`), then loads the reservation; undefined for an unknown
 * id. An operation that computes a change from a reservation must have locked it before: a concurrent change would
 * otherwise be overwritten.
 */
export async function findReservationForUpdate(tx: Tx, id: string): Promise<Reservation | undefined> {
  const [, reservation] = await together([tx.lock(reservationLocks([id])), findReservation(tx.db, id)])
  return reservation
}

/** Loads a reservation like `findReservationForUpdate`; refuses an unknown id. */
export async function lockReservation(tx: Tx, id: string): Promise<Reservation> {
  const reservation = await findReservationForUpdate(tx, id)
  if (!reservation) throw unknownReservation()
  return reservation
}

/**
 * The id of a reservation, and the only provider whose reservations the user may change (undefined for all providers).
 * Reservations of other providers are refused as unknown.
 */
interface OwnReservation {
  readonly id: string
  readonly ofProvider?: number
}

/**
 * Loads a reservation and locks it until the transaction ends. Refuses an unknown id and, if `ofProvider` is given, the
 * reservation of another provider in the same way.
 */
export async function lockOwnReservation(tx: Tx, { id, ofProvider }: OwnReservation): Promise<Reservation> {
  const reservation = await lockReservation(tx, id)
  if (ofProvider !== undefined && reservation.providerId !== ofProvider) throw unknownReservation()
  return reservation
}

/** The status and the slot of a reservation as the user saw them; fields that are absent are not compared. */
export type SeenReservation = Partial<Pick<Reservation, 'status' | 'providerId' | 'start' | 'end'>>

/** Refuses the change of a reservation that differs from what the user saw, and names the fields that differ. */
export function requireAsSeen(reservation: Reservation, seen: SeenReservation): void {
  const fields = (['status', 'providerId', 'start', 'end'] as const).filter(
    (name) => seen[name] !== undefined && seen[name] !== reservation[name],
  )
  if (fields.length > 0) throw refusal('changed_since', { fields })
}

/** Returns the refusal of an id that is unknown or not visible to the user. */
export function unknownReservation(): Refusal {
  return refusal('reservation_not_found')
}

/** Refuses a slot id that was not issued for the slot, or that has expired. */
export function requireSlotId({ catalogue }: Parties, id: string, wanted: RequestedSlot, now: number): void {
  const verdict = checkWithSecrets(catalogue, id, wanted, now)
  if (verdict === 'invalid') throw refusal('slot_invalid')
  if (verdict === 'stale') throw refusal('slot_stale')
}

/** Seconds for which slot ids signed with the previous site secret remain valid: the maximum lifetime of a slot id. */
const rotationSeconds = 2 * bucketSeconds

function checkWithSecrets(
  { secret, previousSecret }: Parties['catalogue'],
  id: string,
  wanted: RequestedSlot,
  now: number,
) {
  const verdict = checkSlotId(secret, id, wanted, now)
  const previous =
    previousSecret && now - previousSecret.rotatedAt < rotationSeconds ? previousSecret.secret : undefined
  return verdict === 'invalid' && previous !== undefined ? checkSlotId(previous, id, wanted, now) : verdict
}

/**
 * Whether a reservation occupies a seat of its slot. A confirmed one does; a pending one does if the service's
 * `pendingBlocks` is set, or while it waits for a payment, a saved card or the confirmation of an e-mail address.
 */
export function takesRoom(
  service: Service,
  { status, awaits }: Pick<ReservationProgress, 'status' | 'awaits'>,
): boolean {
  return status === 'confirmed' || (status === 'pending' && (awaits !== null || service.settings.pendingBlocks))
}

/** Returns the fields of a reservation that follow from the slot in which it is booked. */
export function placed({ catalogue, provider }: Parties, offer: Offer, exception?: RuleOverride) {
  const { slot } = offer
  return {
    serviceId: slot.serviceId,
    providerId: slot.providerId,
    start: slot.start,
    end: slot.end,
    ...slotPrice({ catalogue }, offer),
    ...wallClock({ provider }, slot.start),
    assignedBecause: exception ? assignedByOverride(offer, exception) : assignment(offer),
  } satisfies Partial<Reservation>
}

/** The version of this process's time zone data; versions are compared as text. */
export const zoneData = process.versions.tz ?? ''

/**
 * Returns the wall time of a start in the provider's time zone, with the zone and the version of the time zone data.
 */
export function wallClock({ provider }: { readonly provider: Pick<Provider, 'timezone'> }, start: number) {
  return {
    localStart: wallTime(provider.timezone, start),
    zone: provider.timezone,
    zoneVersion: zoneData,
  } satisfies Partial<Reservation>
}

/** What determines, together with the service, the status of a new reservation. */
interface FirstRules {
  /**
   * The approval that applies instead of the service's: one that the caller requires, or that of the slot's overrides.
   */
  readonly approval: Approval | undefined
  readonly payment: ReservationPayment | null
  /** Whether something must be paid online for a reservation that was booked with the same form. */
  readonly groupPaysOnline?: boolean
}

/**
 * Returns the status of a new reservation: pending if it needs approval, online payment or a saved card, else
 * confirmed.
 */
function firstStatus(service: Service, rules: FirstRules): ReservationStatus {
  return needsApproval(service, rules.approval) || paysOnline(service, rules.payment) ? 'pending' : 'confirmed'
}

/**
 * Returns the status of a new reservation. If the customer must pay online or save a card, for the reservation or for
 * one that was booked with the same form, the reservation waits for that until it expires.
 */
export function firstProgress(service: Service, rules: FirstRules, now: number): ReservationProgress {
  const { payment, groupPaysOnline = false } = rules
  if (paysOnline(service, payment) || (groupPaysOnline && payment !== null)) return awaiting('payment', now)
  return { status: firstStatus(service, rules), awaits: null, expiresAt: null }
}

/**
 * Returns the status after a payment or the saving of a card: pending if the reservation needs approval, else
 * confirmed.
 */
export function progressWhenPaid(service: Service, approval: Approval | undefined): ReservationProgress {
  return { status: needsApproval(service, approval) ? 'pending' : 'confirmed', awaits: null, expiresAt: null }
}

function needsApproval({ settings }: Service, overridden: Approval | undefined): boolean {
  return (overridden ?? settings.approval) !== 'none'
}

function awaiting(awaits: Awaited, now: number): ReservationProgress {
  return { status: 'pending', awaits, expiresAt: now + awaitedSeconds[awaits] }
}

function paysOnline(service: Service, payment: ReservationPayment | null): boolean {
  return payment?.noShowFee !== undefined || isDueOnline(service, payment)
}

/** Whether a part of the price of a new reservation must be paid online before it is booked. */
export function isDueOnline({ settings }: Service, payment: ReservationPayment | null): boolean {
  return payment !== null && dueOnline(paymentRule(settings), payment, payment.method) > captured(payment)
}

/** Returns the end and the status that a new booking by staff would have, whether or not the rules allow it. */
export async function plannedBooking(
  db: Database,
  parties: Parties,
  asked: { readonly start: number; readonly end: number | undefined; readonly now: number },
): Promise<Pick<Reservation, 'end' | 'status'>> {
  const { start, end = resolvedEnd(parties, start), now } = asked
  const { catalogue, service, provider } = parties
  const wanted = { serviceId: service.id, providerId: provider.id, start, end }
  const plan = await wholePlan(db, parties, { wanted, now })
  const overrides = overridesAt(plan, wanted, now)
  const rule = effectiveSettings(service, provider.id, provider.services.get(service.id))
  const payment = firstPayment(service, priceOf(catalogue, rule, overrides), 'on_site')
  return { end, status: firstStatus(service, { approval: overrides.approval, payment }) }
}

/** Refuses data that exceeds the size limits of a reservation. */
export function requireFittingData(data: Data): void {
  const tooMuch = tooMuchData(data)
  if (tooMuch)
    throw new Refusal({ code: 'invalid_parameter', message: message('data_too_large'), details: { data: tooMuch } })
}
