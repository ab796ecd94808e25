import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { captured, isFeeClaimed, owedInAll } from '../../reservations/payment.ts'
import type { Reservation } from '../../reservations/reservation.ts'
import { listRefundable } from '../payments.sql.ts'
import { type DeskKind, deskKinds, type MoneyEntry, type ReservationMoney, waivesFee } from './desk-payments.ts'

async function listMoneyOf(db: Database, reservationId: string) {
  const rows = await db.build
    .selectFrom('ledger_posting')
    .innerJoin('ledger_entry', 'ledger_posting.id', 'ledger_entry.posting_id')
    .select(['kind', 'source', 'amount', 'currency', 'posted_at'])
    .where('reservation_id', '=', reservationId)
    .where('kind', 'in', Object.keys(deskKinds))
    .orderBy('posted_at')
    .orderBy('posting_id')
    .execute()
  return rows.map(({ kind, source, amount, currency, posted_at: at }) => {
    const entry: MoneyEntry = { at, kind: kind as DeskKind, amount, currency }
    return { entry, source }
  })
}

/**
 * Returns the refunds of a reservation that the processor refused, or that failed at once, the oldest first. They moved
 * no money, so the books have no posting of them.
 */
export async function listRefusedRefunds(db: Database, reservationId: string): Promise<readonly MoneyEntry[]> {
  // Refunds are indexed by payment, not by reservation.
  const rows = await db.build
    .selectFrom('refund')
    .innerJoin('payment_share', 'payment_share.payment_id', 'refund.payment_id')
    .select(['refund.amount', 'refund.currency', 'refund.updated_at'])
    .where('payment_share.reservation_id', '=', reservationId)
    .where('refund.reservation_id', '=', reservationId)
    .where('refund.state', '=', 'failed')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('ledger_posting')
            .select('ledger_posting.id')
            .where('ledger_posting.source', '=', sql<string>`'refund_failed:' || refund.id`),
        ),
      ),
    )
    .orderBy('refund.updated_at')
    .orderBy('refund.id')
    .execute()
  return rows.map(({ amount, currency, updated_at: at }) => ({ at, kind: 'refund_failed', amount, currency }))
}

/**
 * Returns the postings (movements of money in the books) of a reservation that staff see, and the amounts due,
 * overpaid, waived and refundable. A waived no-show fee does not reduce the price that is due once the fee is no longer
 * demanded.
 */
export async function loadMoney(db: Database, { id, payment, status }: Reservation): Promise<ReservationMoney> {
  const posted = await listMoneyOf(db, id)
  const entries = posted.map(({ entry }) => entry)
  const refundable = await listRefundable(db, id)
  const isClaimed = payment !== null && isFeeClaimed(payment)
  const counted = posted.filter(({ source }) => isClaimed || !waivesFee(source)).map(({ entry }) => entry)
  const sumOf = (kind: DeskKind) => counted.reduce((sum, entry) => (entry.kind === kind ? sum + entry.amount : sum), 0)
  const writtenOff = sumOf('write_off')
  const owed = payment === null || status === 'cancelled' ? 0 : owedInAll(payment) - captured(payment) - writtenOff
  return {
    ...{ entries, refundable },
    due: Math.max(0, owed),
    overpaid: Math.max(0, -owed - writtenOff),
    writtenOff,
    processor: refundable.reduce((sum, { amount }) => sum + amount, 0),
    voucher: Math.max(0, sumOf('voucher_use') - sumOf('voucher_refund')),
    onSite: Math.max(0, sumOf('on_site') - sumOf('on_site_refund')),
  }
}
