import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import { paymentRule } from '../../catalogue/services/payment-rule.ts'
import type { Tx } from '../../db/perform/app.ts'
import type { Reservation } from '../../reservations/reservation.ts'
import { findReservation } from '../../reservations/reservations.sql.ts'
import { issueReceipt } from '../receipts/receipts.operations.ts'
import { countPosted, findSaleRate, insertPosting, sumPosted } from './ledger.sql.ts'
import { entryOf, type Fact, isSale } from './ledger.ts'

/**
 * Records movements of money in the books, each once, and issues the receipt or credit note of each newly recorded one
 * that requires a document; an amount of 0 is ignored. The transaction must not take other locks afterwards, because
 * the numbers of receipts stay locked until it ends.
 */
export async function post(tx: Tx, facts: readonly Fact[]): Promise<void> {
  for (const fact of facts) {
    if (fact.amount === 0) continue
    const { reservationId } = fact
    const reservation = reservationId ? await findReservation(tx.db, reservationId) : undefined
    const { serviceId = null, providerId = null } = reservation ?? {}
    const taxRate = reservation ? await taxRateOf(tx, fact, reservation) : null
    const postingId = tx.newId('posting')
    const subject = { serviceId, providerId, taxRate }
    const posted = await insertPosting(tx.db, { id: postingId, fact, entry: entryOf(fact), subject, postedAt: tx.now })
    if (posted && reservation) await issueReceipt(tx, { postingId, fact, reservation, taxRate })
  }
}

/**
 * Records movements of money of which the processor reports the totals. For each total in `facts`, posts the difference
 * from the sum that is already posted. Each posting after the first one has a cause of its own, with a number, so that a
 * total that returns to an earlier amount is posted again. The caller must hold the lock of the payment; takes the same
 * further locks as `post`.
 */
export async function postTotals(tx: Tx, facts: readonly Fact[]): Promise<void> {
  for (const fact of facts) {
    const amount = fact.amount - (await sumPosted(tx.db, fact))
    if (amount === 0) continue
    const count = await countPosted(tx.db, fact)
    await post(tx, [{ ...fact, cause: count === 0 ? fact.cause : `${fact.cause}/n${count}`, amount }])
  }
}

/** Returns the tax rate of a movement of money for a reservation, in basis points; null when no tax rate applies. */
async function taxRateOf(
  { db }: Tx,
  { kind, paymentId }: Fact,
  { id, serviceId }: Reservation,
): Promise<number | null> {
  // A posting that is no payment by the customer, such as a refund, has the tax rate of the payment that it concerns
  // or, if there is none, of the last payment for the reservation, even if the rate of the service has changed since.
  // Without any payment, the present rate of the service applies.
  const sold = isSale(kind) ? undefined : await findSaleRate(db, id, paymentId ?? undefined)
  if (sold) return sold.rate
  const service = (await loadCatalogue(db)).service(serviceId)
  const percent = service ? paymentRule(service.settings).taxPercent : null
  return percent === null ? null : Math.round(percent * 100)
}
