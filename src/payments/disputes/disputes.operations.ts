import type { Operation, Tx } from '../../db/perform/app.ts'
import { distribute } from '../../money.ts'
import { appendPayment, lockPayment } from '../checkout/checkout.operations.ts'
import { postTotals } from '../ledger/ledger.operations.ts'
import type { Payment } from '../payment.ts'
import { findPaymentOfCharge, listShares } from '../payments.sql.ts'
import type { DisputeProgress } from '../processor.ts'
import { type Dispute, isUndecided } from './dispute.ts'
import { findDispute, saveDispute } from './disputes.sql.ts'

/**
 * Records the state of a dispute, and posts to the books the amounts and fees that the processor withdrew or returned
 * and that are not posted yet. The reservations are not changed. `undecided` is true when the processor must be asked
 * again. If the charge belongs to no known payment, nothing is recorded and `undecided` is false.
 */
export const recordDispute: Operation<DisputeProgress, { readonly undecided: boolean }> = async (tx, progress) => {
  const { chargeId, fee, feeReturned, ...found } = progress
  const charged = await findPaymentOfCharge(tx.db, chargeId)
  const payment = charged && (await lockPayment(tx, charged.id))
  if (!payment) return { undecided: false }
  const known = await findDispute(tx.db, found.id)
  const dispute: Dispute = { ...found, paymentId: payment.id, createdAt: known?.createdAt ?? tx.now }
  await postShares(tx, payment, { kind: 'dispute', id: dispute.id, amount: dispute.taken })
  await postShares(tx, payment, { kind: 'dispute_won', id: dispute.id, amount: dispute.returned })
  const own = { kind: 'fee', paymentId: payment.id, currency: payment.currency } as const
  await postTotals(tx, [
    { ...own, cause: `dispute/${dispute.id}`, amount: fee },
    { ...own, cause: `dispute-won/${dispute.id}`, amount: -feeReturned },
  ])
  await saveDispute(tx.db, dispute, tx.now)
  await appendChange(tx, payment, { known, dispute })
  return { undecided: isUndecided(dispute) }
}

async function postShares(
  tx: Tx,
  { id: paymentId, currency }: Payment,
  { kind, id, amount }: { readonly kind: 'dispute' | 'dispute_won'; readonly id: string; readonly amount: number },
): Promise<void> {
  const shares = await listShares(tx.db, paymentId)
  const parts = distribute(
    amount,
    shares.map((share) => share.amount),
  )
  await postTotals(
    tx,
    shares.map(({ reservationId }, at) => {
      return { kind, cause: `${id}/${reservationId}`, paymentId, reservationId, amount: parts[at] ?? 0, currency }
    }),
  )
}

async function appendChange(
  tx: Tx,
  payment: Payment,
  { known, dispute }: { readonly known: Dispute | undefined; readonly dispute: Dispute },
): Promise<void> {
  const about = { ...payment, amount: dispute.amount, currency: dispute.currency }
  const shares = await listShares(tx.db, payment.id)
  if (!known) await appendPayment(tx, 'payment.disputed', about, shares, { dueAt: dispute.dueAt })
  if (isUndecided(dispute) || (known && !isUndecided(known))) return
  await appendPayment(tx, dispute.state === 'won' ? 'payment.dispute_won' : 'payment.dispute_lost', about, shares)
}
