import { message } from '../../messages/message.ts'
import { listFailedRefunds } from '../../payments/payments.sql.ts'
import { countConfirmed, findReconciliation } from '../../payments/reconciliation/reconciliation.sql.ts'
import { findProcessor } from '../../payments/settings/payment-settings.sql.ts'
import { dateText } from '../../scheduling/time/date.ts'
import type { CommandApp } from '../framework/command.ts'
import { type Check, ok, warn } from './check.ts'

const name = 'check_payments'
const day = 86_400
// Days after which a missing comparison of the ledger with the payment processor is reported. The comparison runs every
// night, but may fail while the processor is down.
const overdueDays = 3
// Days for which a failed refund is reported. Staff may have paid the amount back in a way that the books do not show.
const failedDays = 30
const maxNamed = 3

/**
 * Reports the reservations with a failed refund that was not repeated, whose customers have not received the amount.
 * Returns no check without such reservations.
 */
export async function refundChecks({ db, now }: CommandApp): Promise<Check[]> {
  const ids = await listFailedRefunds(db, now() - failedDays * day)
  const count = ids.length
  return count === 0 ? [] : [warn('check_refunds', message('refunds_failed', { count, ids: ids.slice(0, maxNamed) }))]
}

/** Checks that the ledger and the payment processor agree, and that they were compared recently. */
export async function paymentChecks({ db, now }: CommandApp): Promise<Check[]> {
  const processor = await findProcessor(db)
  if (!processor) return []
  const count = await countConfirmed(db)
  if (count > 0) return [warn(name, message('payments_differ', { count }))]
  const last = await findReconciliation(db)
  const since = last?.ranAt ?? processor.connectedAt
  const date = dateText(Math.floor(since / day))
  if (since < now() - overdueDays * day) return [warn(name, message('payments_unreconciled', { date }))]
  return last ? [ok(name, message('payments_agree', { date }))] : []
}
