import { slotId } from '../../availability/slot-id.ts'
import { type Parties, resolvedEnd } from '../../availability/slot-plan.operations.ts'
import { lockCatalogue, requireProvider, requireService } from '../../catalogue/catalogue.operations.ts'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { requireCustomer, unknownCustomer } from '../../customers/customers.operations.ts'
import { isCustomerOf } from '../../customers/search/customer-search.sql.ts'
import type { Data } from '../../data.ts'
import type { Operation } from '../../db/perform/app.ts'
import { refusal } from '../../messages/refusal.ts'
import type { RequestedSlot } from '../../scheduling/plan/plan.ts'
import { ruleOverrideOf } from '../../scheduling/rule-override.ts'
import { type CancellationRefund, type EditResult, movesSlot, type ReservationStatus } from '../reservation.ts'
import { editLocked, intentOf, type StaffOverride } from './edit.operations.ts'
import { requireAnswers } from './form-answers.operations.ts'
import { requireInterval } from './interval.ts'
import { lockBooking, requireOffer, requireOfferWithOverride } from './offer.operations.ts'
import { keepReservation, lockOwnReservation, requireAsSeen, type SeenReservation } from './reservations.operations.ts'

/** The fields that requests of staff for a new booking and for a move have in common. */
interface StaffRequest {
  readonly start: number
  /**
   * The end of the appointment (Unix seconds). When absent, a new appointment has the usual length, and a moved one
   * the end that `usualEnd` returns.
   */
  readonly end?: number
  /**
   * The reason for which staff override booking rules; when present, only rules that cannot be overridden refuse the
   * request.
   */
  readonly override?: StaffOverride
  /** Whether the customer is notified of the change; true when absent. */
  readonly notify?: boolean
  /** The provider to whose calendar and customers the request is restricted; absent when it is not restricted. */
  readonly ofProvider?: number
}

/** The input of `bookByStaff`: a new reservation that staff make in the calendar. */
export interface StaffBooking extends StaffRequest {
  readonly serviceId: string
  readonly providerId: number
  readonly customerId: string
  /** Answers to the booking form by field key; required answers must be present. */
  readonly answers?: Data
  /** The internal note of staff, which customers and integrations do not see. */
  readonly note?: string
}

/**
 * Books a time that staff chose in the calendar, which needs no slot id. Every rule is checked against current data;
 * with `override`, only rules that cannot be overridden refuse the booking.
 */
export const bookByStaff: Operation<StaffBooking, { id: string }> = async (tx, input) => {
  const { customerId, override, ofProvider, notify, note = '' } = input
  requireOwnAllowed(input)
  const catalogue = await lockCatalogue(tx)
  const service = requireService(catalogue, input.serviceId)
  const provider = requireProvider(catalogue, ofProvider === undefined ? input.providerId : own(input, ofProvider))
  const parties = { catalogue, service, provider }
  const data = requireAnswers(service.form, input.answers ?? {}, { complete: true })
  if (ofProvider !== undefined && !(await isCustomerOf(tx.db, customerId, ofProvider))) throw unknownCustomer()
  await lockBooking(tx, [customerId], [parties])
  const customer = await requireCustomer(tx, customerId)
  const wanted = wantedAt(parties, input)
  const asked = { wanted, customer }
  const { offer, exception, doubled } = override
    ? ruleOverrideOf(await requireOfferWithOverride(tx, parties, { ...asked, ...intentOf(override) }), override.reason)
    : { offer: await requireOffer(tx, parties, asked), exception: undefined, doubled: undefined }
  const availabilityId = slotId(catalogue.secret, wanted, tx.now)
  return keepReservation(tx, parties, {
    customerId,
    availabilityId,
    data,
    note,
    offer,
    exception,
    doubled,
    notify,
    byStaff: true,
  })
}

/** The input of `moveByStaff`: the id of a reservation with its new time and, if it changes, its new provider. */
export interface StaffMove extends StaffRequest {
  readonly id: string
  readonly providerId?: number
  /** What the user saw; when present, refused if the reservation differs, unless it already has the new slot. */
  readonly from?: SeenReservation
}

/** Moves a reservation in the calendar. When `end` is absent, the end that `usualEnd` returns applies. */
export const moveByStaff: Operation<StaffMove, EditResult> = async (tx, input) => {
  const { id, start, from, ofProvider, override, notify } = input
  requireOwnAllowed(input)
  const catalogue = await lockCatalogue(tx)
  const before = await lockOwnReservation(tx, input)
  const providerId = input.providerId ?? before.providerId
  requireProvider(catalogue, ofProvider === undefined || providerId === ofProvider ? providerId : 0)
  const end = input.end ?? usualEnd(catalogue, before, { start, providerId })
  requireInterval(start, end)
  const to = { providerId, start, end }
  if (from && movesSlot(before, { ...before, ...to })) requireAsSeen(before, from)
  const edit = { id, ...to, ...(override && { override }), ...(notify !== undefined && { notify }) }
  return editLocked(tx, { catalogue, before, input: edit })
}

/** The input of `setStatusByStaff`: the id of a reservation and its new status. */
export interface StaffStatusChange extends Pick<StaffRequest, 'override' | 'notify' | 'ofProvider'> {
  readonly id: string
  readonly status: ReservationStatus
  /** The status that the user saw; when present, refused if the reservation has neither this status nor the new one. */
  readonly from?: ReservationStatus
  /** Why the reservation is cancelled; ignored unless this change cancels it. */
  readonly cancelReason?: string
  readonly refund?: CancellationRefund
}

/** Changes the status of a reservation for staff: confirms, cancels or restores it, or makes it pending. */
export const setStatusByStaff: Operation<StaffStatusChange, EditResult> = async (tx, { from, ...input }) => {
  requireOwnAllowed(input)
  const catalogue = await lockCatalogue(tx)
  const before = await lockOwnReservation(tx, input)
  if (from !== undefined && before.status !== input.status) requireAsSeen(before, { status: from })
  return editLocked(tx, { catalogue, before, input })
}

/**
 * Returns the end of a moved reservation. If it has the usual length of its service and provider, the usual length at
 * the new provider applies; any other length is preserved.
 */
export function usualEnd(
  catalogue: Catalogue,
  { serviceId, providerId, start, end }: RequestedSlot,
  to: { readonly providerId: number; readonly start: number },
): number {
  const service = catalogue.service(serviceId)
  const from = catalogue.provider(providerId)
  const provider = catalogue.provider(to.providerId)
  const isUsual = service && from && resolvedEnd({ service, provider: from }, start) === end
  return isUsual && provider ? resolvedEnd({ service, provider }, to.start) : to.start + end - start
}

function wantedAt({ service, provider }: Parties, { start, end }: StaffBooking): RequestedSlot {
  const until = end ?? resolvedEnd({ service, provider }, start)
  requireInterval(start, until)
  return { serviceId: service.id, providerId: provider.id, start, end: until }
}

// Returns the provider of the booking if it is `ofProvider`, otherwise 0 (the id of no provider), so that the booking
// is refused.
function own({ providerId }: StaffBooking, ofProvider: number): number {
  return providerId === ofProvider ? providerId : 0
}

function requireOwnAllowed({ override, ofProvider }: Pick<StaffRequest, 'override' | 'ofProvider'>): void {
  if (override && ofProvider !== undefined) throw refusal('override_forbidden')
}
