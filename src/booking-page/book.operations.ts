import { slotId } from '../availability/slot-id.ts'
import { type Parties, resolvedEnd } from '../availability/slot-plan.operations.ts'
import { lockCatalogue, requireProvider, requireService } from '../catalogue/catalogue.operations.ts'
import { dueOnline, type PaymentMethod, paymentRule } from '../catalogue/services/payment-rule.ts'
import type { Service } from '../catalogue/services/service.ts'
import { blocked, type Customer, emailKey } from '../customers/customer.ts'
import { addCustomer, requireCustomer } from '../customers/customers.operations.ts'
import { listCustomersAt, listLinkedCustomers } from '../customers/customers.sql.ts'
import { setSmsConsent } from '../customers/sms-consent/sms-consent.operations.ts'
import type { Data } from '../data.ts'
import type { Database } from '../db/database.ts'
import type { Operation, Tx } from '../db/perform/app.ts'
import { findStoredOutcome, type IdempotencyKey, parseOutcome } from '../db/perform/idempotency.ts'
import { refusal } from '../messages/refusal.ts'
import { moneyOf } from '../money.ts'
import { type Coupon, worthOfSeats } from '../payments/coupons/coupon.ts'
import { claimCoupon } from '../payments/coupons/coupons.operations.ts'
import { insertUses } from '../payments/coupons/coupons.sql.ts'
import { claimVoucher, spendVoucher } from '../payments/vouchers/redemption.operations.ts'
import { dividedOver, type SeatPrice } from '../payments/vouchers/voucher.ts'
import { requireFewNoShows } from '../reservations/attendance/no-shows.operations.ts'
import { requireAnswers } from '../reservations/booking/form-answers.operations.ts'
import { lockBooking, requireOffer } from '../reservations/booking/offer.operations.ts'
import { keepReservation } from '../reservations/booking/reservations.operations.ts'
import { type ExpectedPrice, newPayment, requirePrice, slotPrice } from '../reservations/booking/slot-price.ts'
import { claimHold, formLock } from '../reservations/holds/holds.operations.ts'
import { reductionOf } from '../reservations/payment.ts'
import { awaitedSeconds, type ReservationSource, type SlotPrice } from '../reservations/reservation.ts'
import { dateAt } from '../scheduling/time/zone.ts'
import type { Person } from './details.ts'
import type { HostVisitor } from './host/host-token.operations.ts'
import { claimLink, spendLink } from './links/links.operations.ts'
import { countUnverified } from './manage/manage.sql.ts'
import { hashForm } from './secrets.operations.ts'
import { loadPages } from './settings.sql.ts'
import { verifiesEmail } from './settings.ts'

/** The input of `bookForm`: a booking form that a visitor has completed and confirmed. */
export interface BookForm {
  readonly formHash: string
  readonly serviceId: string
  readonly providerId: number
  readonly start: number
  /** The persons that seats are booked for, one per seat; the first is the customer who filled in the form. */
  readonly people: readonly Person[]
  /** The phone number of the first person in international form; empty for none. */
  readonly phone: string
  /** Whether the first person agrees to short messages at the phone number. */
  readonly sms: boolean
  readonly language: string
  readonly timezone: string
  readonly answers: Data
  readonly source: ReservationSource
  /** Whether the message that asks to confirm an e-mail address can be sent; if not, no confirmation is required. */
  readonly canMail: boolean
  /**
   * Whether a required proof of work is missing. The customer must then confirm the e-mail address, unless a token of
   * the host site (the owner's website) contains the same address; if no mail can be sent, the booking is refused.
   */
  readonly unproven: boolean
  /** The hash of the secret of the private link with which the customer opened the page; absent if there is none. */
  readonly linkHash?: string
  /** The visitor that a token of the host site identifies; absent if there is none. */
  readonly hostVisitor?: HostVisitor
  /** The payment method that the customer chose; absent when there is no choice. */
  readonly pays?: PaymentMethod | undefined
  /** The coupon code that the customer entered; absent if there is none. */
  readonly coupon?: string
  /**
   * The voucher code that the customer entered, with the amount (in the currency's smallest unit) that the summary
   * showed as paid by the voucher; absent if there is none.
   */
  readonly voucher?: { readonly code: string; readonly amount: number }
  /** The price of one seat that the customer saw; absent when any price is acceptable. */
  readonly expectedPrice?: ExpectedPrice
  /**
   * The no-show fee of all seats together that the customer saw, in the smallest unit of the currency, 0 for none;
   * absent when any fee is acceptable.
   */
  readonly expectedFee?: number
}

/**
 * The result of `bookForm`: the ids of the booked reservations; the first is that of the customer who filled in the
 * form.
 */
export interface BookedForm {
  readonly ids: readonly string[]
  /**
   * When the booking expires unless the customer confirms the e-mail address (Unix seconds); null when no confirmation
   * is required.
   */
  readonly verifyUntil: number | null
}

/** Returns the idempotency key of a form's booking: a form books at most once, and then its outcome is repeated. */
export function bookingKey(formHash: string): IdempotencyKey {
  return { scope: 'booking-page', key: formHash }
}

/**
 * Returns the outcome of a form, given its secret, within the last 24 hours: what it booked, or undefined if the
 * booking was refused. Resolves to undefined if the form has no outcome.
 */
export async function findFormOutcome(
  db: Database,
  form: string,
  now: number,
): Promise<{ readonly booked: BookedForm | undefined } | undefined> {
  const stored = await findStoredOutcome(db, bookingKey(hashForm(form)), now)
  const outcome = stored && parseOutcome(stored.outcome)
  return outcome && { booked: 'ok' in outcome ? (outcome.ok as BookedForm) : undefined }
}

/**
 * Books the slot that a visitor's form on the booking page has reserved temporarily (a hold), with one reservation per
 * person; either all are booked or none. Lead time (the minimum notice) and booking horizon are checked as of the time
 * at which the hold was placed, or as of now when the hold has expired. An existing customer with the same name and
 * e-mail address is used and not changed. Where the e-mail address must be confirmed, the booking stays pending until
 * `verifyBooking` confirms the address of the first person, or expires.
 */
export const bookForm: Operation<BookForm, BookedForm> = async (tx, input) => {
  const { formHash, serviceId, people, source } = input
  const proven = emailKey(input.hostVisitor?.email ?? '') === emailKey(people[0]?.email ?? '')
  if (input.unproven && !proven && !input.canMail) throw refusal('proof_missing')
  const catalogue = await lockCatalogue(tx)
  const service = requireService(catalogue, serviceId)
  const provider = requireProvider(catalogue, input.providerId)
  const parties: Parties = { catalogue, service, provider }
  const answers = requireAnswers(service.form, input.answers, { complete: true })
  const keys = people.flatMap(({ email }) => (email === '' ? [] : [`booking-email:${emailKey(email)}`]))
  await tx.lock([...new Set([formLock(formHash), ...keys])])
  const { ids: customerIds, known } = await customersOf(tx, input)
  await lockBooking(tx, customerIds, [parties])
  const hold = await claimHold(tx, formHash)
  const wanted = { serviceId, providerId: provider.id, start: input.start, end: resolvedEnd(parties, input.start) }
  const isHeld = hold?.serviceId === serviceId && hold.providerId === provider.id && hold.start === wanted.start
  const approval = await requireFewNoShows(tx.db, catalogue.site.policies, known, tx.now)
  const pages = await loadPages(tx.db, catalogue)
  const { access } = pages.service(serviceId)
  const link = input.linkHash === undefined ? undefined : await claimLink(tx, input.linkHash, serviceId)
  if (access === 'host' && !input.hostVisitor) throw refusal('booking_link_invalid')
  if (access === 'closed' || (access === 'link' && !link)) throw refusal('booking_link_invalid')
  const verify = input.canMail && !proven && (input.unproven || verifiesEmail(pages.settings, pages.service(serviceId)))
  if (verify) await requireFewUnverified(tx, people[0]?.email ?? '')
  const availabilityId = slotId(catalogue.secret, wanted, tx.now)
  const groupId = people.length > 1 ? tx.newId('group') : null
  const ids: string[] = []
  let coupon: Coupon | undefined
  let voucher: Awaited<ReturnType<typeof claimVoucher>> | undefined
  let prepaid: readonly number[] = []
  let groupPaysOnline = false
  let fee = 0
  for (const [seat, customerId] of customerIds.entries()) {
    const customer = await requireCustomer(tx, customerId)
    const offer = await requireOffer(tx, parties, { wanted, customer, ...(isHeld && { at: hold.placedAt }) })
    const price = slotPrice(parties, offer)
    requirePrice(price, input.expectedPrice)
    if (input.coupon !== undefined && seat === 0) {
      const may = { code: input.coupon, service, customerIds: [...new Set([...known, customerId])] }
      coupon = await claimCoupon(tx, catalogue, { ...may, ...price })
    }
    const worth = coupon && worthOfSeats(coupon, people.length)[seat]
    if (seat === 0) {
      const seats = seatPrices(service, price, { seats: people.length, coupon, pays: input.pays })
      if (input.voucher) {
        const { currency } = price
        const due = seats.reduce((sum, one) => sum + one.price, 0)
        const online = seats.reduce((sum, one) => sum + one.online, 0)
        const today = dateAt(catalogue.site.timezone, tx.now)
        voucher = await claimVoucher(tx, { code: input.voucher.code, currency, today, due, online })
        // The customer agreed to the amount to pay that the summary showed, so the booking is refused when the voucher
        // now pays another amount.
        if (voucher.amount !== input.voucher.amount) throw refusal('coupon_invalid')
        prepaid = dividedOver({ amount: voucher.amount, currency: voucher.voucher.currency }, seats)
      }
      // What is due online may be that of one seat alone. The seats are nevertheless booked together or not.
      groupPaysOnline = seats.some(({ online }, at) => online > (prepaid[at] ?? 0))
    }
    const data = seat === 0 ? answers : {}
    // Until the e-mail address is confirmed, only the first person gets a message. The other persons are notified of
    // their seats after the confirmation.
    const notify = verify && seat > 0 ? false : undefined
    const applied = coupon && worth && { code: coupon.code, worth }
    fee += newPayment(service, price, { pays: input.pays, coupon: applied })?.noShowFee?.amount ?? 0
    const how = {
      verifiesEmail: verify,
      notify,
      pays: input.pays,
      coupon: applied,
      approval,
      prepaid: prepaid[seat] ?? 0,
      groupPaysOnline,
    }
    const own = { customerId, availabilityId, data, groupId, source, offer, ...how }
    const { id } = await keepReservation(tx, parties, own)
    ids.push(id)
  }
  if (fee !== (input.expectedFee ?? fee)) throw refusal('slot_price_changed')
  if (coupon) await insertUses(tx.db, coupon.id, ids)
  if (link && ids[0] !== undefined) await spendLink(tx, link, ids[0])
  if (voucher) {
    const parts = ids.map((reservationId, seat) => ({ reservationId, amount: prepaid[seat] ?? 0 }))
    await spendVoucher(tx, voucher.voucher, parts)
  }
  return { ids, verifyUntil: verify ? tx.now + awaitedSeconds.email : null }
}

/** Returns the prices of the seats of a slot after the coupon's reduction, with what is due online of each. */
function seatPrices(
  service: Service,
  slot: SlotPrice,
  { seats, coupon, pays }: { readonly seats: number; readonly coupon: Coupon | undefined } & Pick<BookForm, 'pays'>,
): SeatPrice[] {
  const full = moneyOf(slot)
  const method = newPayment(service, slot, { pays })?.method
  const worths = coupon ? worthOfSeats(coupon, seats) : []
  return Array.from({ length: seats }, (_, at) => {
    if (full === null || method === undefined) return { price: 0, online: 0 }
    const worth = worths[at]
    const price = worth ? full.amount - reductionOf(worth, full) : full.amount
    return { price, online: dueOnline(paymentRule(service.settings), { ...full, amount: price }, method) }
  })
}

// The maximum number of unconfirmed bookings per e-mail address. Each booking sends a message to an address that may
// not belong to the visitor.
const maxUnverified = 3

async function requireFewUnverified(tx: Tx, email: string): Promise<void> {
  if ((await countUnverified(tx.db, emailKey(email), tx.now)) >= maxUnverified)
    throw refusal('hold_limit', { count: maxUnverified })
}

/**
 * Returns the customer of each person: an existing one with the same name and e-mail address, or a new one, which
 * several persons of the form with this name and address share. Also returns the ids of all existing customers that
 * have the e-mail address of a person or are linked to the visitor's account on the host site.
 */
async function customersOf(tx: Tx, input: BookForm): Promise<{ ids: string[]; known: string[] }> {
  const addresses = input.people.flatMap(({ email }) => (email === '' ? [] : [emailKey(email)]))
  const known = await listCustomersAt(tx.db, [...new Set(addresses)])
  if (known.some(({ status }) => status === blocked)) throw refusal('customer_blocked')
  const linked = input.hostVisitor ? await listLinkedCustomers(tx.db, input.hostVisitor.id) : []
  if (linked.some(({ status }) => status === blocked)) throw refusal('customer_blocked')
  const ids: string[] = []
  for (const [index, person] of input.people.entries()) {
    // The customer linked to the visitor's account on the host site is preferred, because several customers may have
    // the same name and e-mail address.
    const same = [...(index === 0 ? linked : []), ...known].find((customer) => isSame(customer, person))
    const twin = ids[input.people.slice(0, index).findIndex((other) => isSame(other, person))]
    ids.push(twin ?? same?.id ?? (await addPerson(tx, input, person, index === 0)))
  }
  return { ids, known: [...new Set([...known, ...linked].map(({ id }) => id))] }
}

function isSame(customer: Pick<Customer, 'name' | 'email'>, { name, email }: Person): boolean {
  return email !== '' && emailKey(customer.email) === emailKey(email) && nameKey(customer.name) === nameKey(name)
}

function nameKey(name: string): string {
  return name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
}

async function addPerson(tx: Tx, input: BookForm, { name, email }: Person, first: boolean): Promise<string> {
  const { phone, language, timezone, hostVisitor } = input
  const own = first ? { phone, timezone, hostUserId: hostVisitor?.id ?? 0 } : {}
  const { id } = await addCustomer(tx, { name, email, language, ...own, createUser: false })
  // Only a new customer's consent is stored. A booking never changes an existing customer, because the visitor may not
  // own the e-mail address.
  if (first && input.sms && phone !== '') await setSmsConsent(tx, { customerId: id, number: phone })
  return id
}
