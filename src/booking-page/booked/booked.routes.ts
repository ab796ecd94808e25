import { awaitedMeeting } from '../../calendars/destinations/awaited-meeting.sql.ts'
import type { Service } from '../../catalogue/services/service.ts'
import { emailKey } from '../../customers/customer.ts'
import { findCustomer } from '../../customers/customers.sql.ts'
import { managePath, manageSecret } from '../../reservations/manage-secret.operations.ts'
import { hasChangedCustomer, type Reservation } from '../../reservations/reservation.ts'
import { findReservation } from '../../reservations/reservations.sql.ts'
import type { BookedForm } from '../book.operations.ts'
import { signedAfterUrl } from '../host/after-url.operations.ts'
import { listGroup } from '../manage/manage.sql.ts'
import { openManagePage } from '../manage/manage-cookie.routes.ts'
import { showMonth } from '../month.routes.ts'
import { answerPage, locationOf, type PageRequest, redirect } from '../page-context.routes.ts'
import { type BookedView, donePage, toPaymentPage, toReservationPage, verifySentPage } from '../views/done.ts'
import { messagePage, type Page } from '../views/layout.ts'

/**
 * Answers a form that was booked, now or when it was sent before, with the page for the present state of the booking.
 * The secret of the form gives access to this page for a day, but only while the reservation belongs to the customer
 * who booked it.
 */
export async function answerBooked(
  page: PageRequest,
  service: Service,
  { ids: [id = ''], verifyUntil }: BookedForm,
): Promise<void> {
  const { sources, view, now } = page
  const reservation = await findReservation(sources.app.db, id)
  if (!reservation) return showMonth(page, service, { alert: view.words.formExpired, status: 410 })
  // The form opens as little as the links of the customer who booked.
  if (hasChangedCustomer(reservation)) return answerPage(page, messagePage(view, 'linkInvalid', 'notFoundText'), 404)
  const done = await viewOfBooked(page, service, reservation)
  // The job that cancels a reservation which has expired may run some seconds later.
  const isOver = reservation.status === 'cancelled' || (reservation.expiresAt !== null && reservation.expiresAt <= now)
  // This page has no manage link, because the customer has not confirmed the e-mail address.
  if (reservation.awaits === 'email' && isOver)
    return answerPage(page, messagePage(view, 'verifyExpired', 'verifyExpiredText'), 410)
  if (isOver) return toOwnPage(page, { reservation, path: '/manage/', framed: toReservationPage(done) })
  if (verifyUntil !== null && reservation.awaits === 'email')
    return answerPage(page, verifySentPage({ ...done, verifyUntil }))
  const card = reservation.payment?.method === 'card'
  if (reservation.awaits === 'payment' && (await sources.takesPayments()))
    return toOwnPage(page, { reservation, path: '/manage/payment/', framed: toPaymentPage({ ...done, card }) })
  const { afterUrl, afterMode } = view.settings
  const after = afterUrl && signedAfterUrl(afterUrl, reservation, await sources.hostSecret())
  if (after && afterMode === 'redirect' && !view.visit.embedded) return redirect(page.reply, after, 303)
  return answerPage(page, donePage({ ...done, pending: reservation.status === 'pending', afterUrl: after }))
}

/** Loads what the pages about a booking show: the reservation and its price with the other seats of the same form. */
async function viewOfBooked(page: PageRequest, service: Service, reservation: Reservation): Promise<BookedView> {
  const { sources, catalogue, view } = page
  const { db } = sources.app
  const group = reservation.groupId === null ? [reservation] : await listGroup(db, reservation.groupId)
  const own = group.filter((one) => one.status !== 'cancelled' && !hasChangedCustomer(one))
  const prices = own.flatMap(({ price }) => price ?? [])
  return {
    ...view,
    service: catalogue.service(reservation.serviceId) ?? service,
    provider: catalogue.provider(reservation.providerId),
    slot: reservation,
    location: locationOf(page, reservation),
    seats: own.length,
    price: {
      price: prices.length === 0 ? null : prices.reduce((sum, price) => sum + price, 0),
      currency: reservation.currency,
    },
    ...(await repetitionOf(page, reservation)),
    manageUrl: view.origin + managePath(catalogue, reservation),
    meeting: await awaitedMeeting(db, reservation, page.now),
  }
}

/**
 * Returns whether the form was sent in another step than the one that books, and the address to which mail about the
 * booking goes; empty if the form now has another address, of which the booking knows nothing.
 */
async function repetitionOf({ sources, sent }: PageRequest, { customerId }: Reservation) {
  const email = sent.get('email') ?? ''
  const customer = await findCustomer(sources.app.db, customerId)
  const isKnown = customer !== undefined && emailKey(customer.email) === emailKey(email)
  return { isLater: sent.get('step') !== 'book', email: isKnown ? email : '' }
}

/**
 * Sends the customer to a page below `/manage/`: by a redirect with the cookie that opens the page or, inside a frame,
 * by `framed`, a page with a link that opens outside of the frame.
 */
function toOwnPage(
  page: PageRequest,
  { reservation, path, framed }: { readonly reservation: Reservation; readonly path: string; readonly framed: Page },
): Promise<void> | void {
  if (page.view.visit.embedded) return answerPage(page, framed)
  return openManagePage(page, { secret: manageSecret(page.catalogue, reservation), path })
}
