import { awaitedMeeting } from '../../calendars/destinations/awaited-meeting.sql.ts'
import type { Service } from '../../catalogue/services/service.ts'
import { managePath } from '../../reservations/manage-secret.operations.ts'
import { findReservation } from '../../reservations/reservations.sql.ts'
import type { BookedForm } from '../book.operations.ts'
import { signedAfterUrl } from '../host/after-url.operations.ts'
import { manageCookieHeader } from '../manage/manage-cookie.routes.ts'
import { showMonth } from '../month.routes.ts'
import { answerPage, type PageRequest, redirect } from '../page-context.routes.ts'
import { donePage, toPaymentPage, toReservationPage, verifySentPage } from '../views/done.ts'
import type { FormView } from '../views/form.ts'
import { messagePage, type Page } from '../views/layout.ts'
import { visitUrl } from '../visit.ts'

/**
 * Answers a form that was booked, now or when it was sent before, with the page for the present state of the booking.
 * The secret of the form gives access to this page for a day, but only while the reservation belongs to the customer
 * who booked it.
 */
export async function answerBooked(
  page: PageRequest,
  service: Service,
  shown: FormView,
  { ids: [id = ''], verifyUntil }: BookedForm,
): Promise<void> {
  const { sources, catalogue, view, now } = page
  const reservation = await findReservation(sources.app.db, id)
  if (!reservation) return showMonth(page, service, { alert: view.words.formExpired, status: 410 })
  // A booking begins with version 0. A reservation with another version was given to another customer, so the form
  // opens as little as the links of the customer who booked.
  if (reservation.linkVersion !== 0) return answerPage(page, messagePage(view, 'linkInvalid', 'notFoundText'), 404)
  const manageUrl = view.origin + managePath(catalogue, reservation)
  const done = {
    ...shown,
    provider: catalogue.provider(reservation.providerId) ?? shown.provider,
    slot: reservation,
    manageUrl,
    meeting: await awaitedMeeting(sources.app.db, reservation),
  }
  // The job that cancels a reservation which has expired may run some seconds later.
  const isOver = reservation.status === 'cancelled' || (reservation.expiresAt !== null && reservation.expiresAt <= now)
  // There is no manage link here, because nobody confirmed that the e-mail address belongs to the customer.
  if (reservation.awaits === 'email' && isOver)
    return answerPage(page, messagePage(view, 'verifyExpired', 'verifyExpiredText'), 410)
  if (isOver) return toOwnPage(page, { path: '/manage/', manageUrl, framed: toReservationPage(done) })
  if (verifyUntil !== null && reservation.awaits === 'email')
    return answerPage(page, verifySentPage({ ...done, verifyUntil }))
  if (reservation.awaits === 'payment' && (await sources.takesPayments()))
    return toOwnPage(page, { path: '/manage/payment/', manageUrl, framed: toPaymentPage(done) })
  const { afterUrl, afterMode } = view.settings
  const signing = { reservationId: id, secret: afterUrl && (await sources.hostSecret()), now }
  const after = afterUrl && signedAfterUrl(afterUrl, signing)
  if (after && afterMode === 'redirect' && !view.visit.embedded) return redirect(page.reply, after, 303)
  return answerPage(page, donePage({ ...done, pending: reservation.status === 'pending', afterUrl: after }))
}

/**
 * Sends the customer to a page below `/manage/`: by a redirect with the cookie that opens the page or, inside a frame,
 * by `framed`, a page with a link that opens outside of the frame.
 */
function toOwnPage(
  page: PageRequest,
  { path, manageUrl, framed }: { readonly path: string; readonly manageUrl: string; readonly framed: Page },
): Promise<void> | void {
  const { view, reply } = page
  if (view.visit.embedded) return answerPage(page, framed)
  const secret = new URL(manageUrl).pathname.split('/')[2] ?? ''
  reply.raw.setHeader('Set-Cookie', manageCookieHeader(view.origin, secret))
  return redirect(reply, visitUrl(path, view.visit), 303)
}
