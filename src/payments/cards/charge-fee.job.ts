import { resultOf } from '../../db/perform/outcome.ts'
import { workerContext } from '../../db/perform/worker-context.ts'
import { type Advancing, aboutPayment, settle } from '../checkout/payment-work.job.ts'
import type { Payment } from '../payment.ts'
import { listShares } from '../payments.sql.ts'
import { type CardCharge, ProcessorError } from '../processor.ts'
import { findCardOf } from './cards.sql.ts'

// Half of the 24 hours for which Stripe stores idempotency keys, in seconds. When a payment is older, the job first
// looks for an earlier charge at Stripe.
const keySeconds = 43_200

/**
 * Charges the no-show fee to the saved card; a repeated call does not charge again. A fee that was recorded as declined
 * is settled if the processor captured the charge with the id `chargeId`. Returns false when the charge is pending and
 * the processor must be asked again soon.
 */
export async function chargeFee(options: Advancing, payment: Payment, chargeId?: string): Promise<boolean> {
  const { app, processor } = options
  if (payment.state !== 'starting') {
    const charge = chargeId === undefined ? undefined : await processor.findCharge(chargeId)
    return charge !== undefined && charge.amount > 0 ? settle(options, payment, charge) : true
  }
  const charge = await askFor(options, payment)
  if (charge.state === 'pending') return false
  if (charge.state === 'paid') return settle(options, payment, charge)
  const failed = { id: payment.id, reason: charge.reason }
  resultOf(await app.perform('payments.fee.failed', failed, { ...workerContext('payments'), now: app.now() }))
  return true
}

async function askFor({ app, processor }: Advancing, payment: Payment): Promise<CardCharge> {
  const { id, amount, currency, createdAt } = payment
  const { description } = await aboutPayment(app, payment)
  const [share] = await listShares(app.db, id)
  const card = share && (await findCardOf(app.db, share.reservationId))
  if (card?.removedAt !== null) return { state: 'declined', reason: 'declined' }
  const old = app.now() - createdAt > keySeconds
  try {
    return await processor.chargeCard({ paymentId: id, amount, currency, card, description, old })
  } catch (error) {
    if (!(error instanceof ProcessorError) || error.fault !== 'refused') throw error
    // The processor refuses, for example, an amount below its minimum or a card that was removed in its dashboard. The
    // fee then counts as declined.
    app.log.warn({ fault: error.message }, 'the payment processor refused the fee of a missed visit')
    return { state: 'declined', reason: 'declined' }
  }
}
