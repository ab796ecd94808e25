import type { ShareState } from '../../payments/payment.ts'
import { listPaymentsOf, listShares } from '../../payments/payments.sql.ts'
import type { Reservation } from '../../reservations/reservation.ts'
import { answerPage, type PageRequest, redirect } from '../page-context.routes.ts'
import { messagePage } from '../views/layout.ts'
import { leavingPage, waitingPage } from '../views/payment.ts'
import { visitUrl } from '../visit.ts'

/** A request of a customer for the page on which a reservation is paid. */
interface PaymentRequest extends PageRequest {
  readonly reservation: Reservation
  /** Queues a job that reads the state of the payment from the payment processor. */
  check(): Promise<unknown>
}

// Seconds after which the page that waits for the payment processor reloads: `soon` for the first `soonTimes` reloads,
// `rarely` for later ones.
const soon = 1
const rarely = 5
const soonTimes = 15

/**
 * Answers with the page on which a customer pays for a reservation, or saves a card for it. Until the payment processor
 * has created its payment page, this page reloads itself, so that no request waits for the processor; then it forwards
 * the browser to the processor's page. When the customer returns, this page reloads itself until the result of the
 * payment is known.
 */
export async function answerPayment(page: PaymentRequest): Promise<void> {
  const { sources, reservation, view, sent, reply } = page
  const { db } = sources.app
  const own = { own: true } as const
  const times = Math.min(Number(sent.get('n')) || 0, 1_000)
  const back = sent.get('back') === '1'
  const next = visitUrl('/manage/payment/', view.visit, { ...(back && { back: '1' }), n: String(times + 1) })
  const again = { ...own, refresh: `${times < soonTimes ? soon : rarely}; url=${next}` }
  const toStart = (done: string) => redirect(reply, visitUrl('/manage/', view.visit, { done }), 303)
  const payment = (await listPaymentsOf(db, reservation.id)).findLast(({ purpose }) => purpose !== 'fee')
  const ofCard = payment?.purpose === 'card'
  if (!payment) {
    const awaited = reservation.status === 'pending' && reservation.awaits === 'payment'
    if (!awaited || !(await sources.takesPayments())) return toStart('')
    const purpose = reservation.payment?.method === 'card' ? 'card' : 'pay'
    return answerPage(page, waitingPage(view, purpose, 'payPreparing'), 200, again)
  }
  const { purpose } = payment
  if (payment.state === 'closed') {
    if (purpose === 'link') return answerPage(page, messagePage(view, 'linkOver', 'linkOverText'), 410, own)
    return answerPage(page, messagePage(view, ofCard ? 'cardExpired' : 'payExpired', 'payExpiredText'), 410, own)
  }
  if (payment.state === 'paid') {
    const share = (await listShares(db, payment.id)).find(({ reservationId }) => reservationId === reservation.id)
    const state: ShareState = share?.state ?? 'booked'
    if (state === 'returned' && ofCard)
      return answerPage(page, messagePage(view, 'cardReturned', 'cardReturnedText'), 200, own)
    if (state === 'returned') return answerPage(page, messagePage(view, 'payReturned', 'payReturnedText'), 200, own)
    if (state === 'booked') return toStart(ofCard ? 'cardSaved' : 'paid')
    return answerPage(page, waitingPage(view, purpose, 'payChecking'), 200, again)
  }
  if (payment.checkoutUrl === null) return answerPage(page, waitingPage(view, purpose, 'payPreparing'), 200, again)
  if (back || page.now >= payment.expiresAt) {
    await page.check()
    return answerPage(page, waitingPage(view, purpose, 'payChecking'), 200, again)
  }
  const { checkoutUrl: url, expiresAt } = payment
  return answerPage(page, leavingPage(view, { url, expiresAt, purpose }), 200, { ...own, refresh: `0; url=${url}` })
}
