import type { Database } from '../../db/database.ts'
import type { Reservation } from '../../reservations/reservation.ts'
import { listPaymentsOf, listRefunds, listShares } from '../payments.sql.ts'
import type { MoneyEntry, Movable, RefundPart } from './desk-payments.ts'

const shownKinds: readonly string[] = ['charge', 'refund', 'refund_failed', 'on_site', 'on_site_refund']

/** Returns what the books say about a reservation, the oldest first; fees and other postings of the site are left out. */
export async function listMoneyOf(db: Database, reservationId: string): Promise<readonly MoneyEntry[]> {
  const rows = await db.build
    .selectFrom('ledger_posting')
    .innerJoin('ledger_entry', 'ledger_posting.id', 'ledger_entry.posting_id')
    .select(['kind', 'amount', 'currency', 'posted_at'])
    .where('reservation_id', '=', reservationId)
    .where('kind', 'in', shownKinds)
    .orderBy('posted_at')
    .orderBy('posting_id')
    .execute()
  return rows.map(({ kind, amount, currency, posted_at: at }) => {
    return { at, kind: kind as MoneyEntry['kind'], amount, currency }
  })
}

/** Returns what each paid payment of a reservation still holds for it, the oldest first. */
export async function listRefundable(db: Database, reservationId: string): Promise<readonly RefundPart[]> {
  const parts: RefundPart[] = []
  for (const { id, state } of await listPaymentsOf(db, reservationId)) {
    if (state !== 'paid') continue
    const share = (await listShares(db, id)).find((one) => one.reservationId === reservationId)
    const refunds = (await listRefunds(db, id)).filter(
      (refund) => refund.reservationId === reservationId && refund.state !== 'failed',
    )
    const refunded = refunds.reduce((sum, { amount }) => sum + amount, 0)
    parts.push({ paymentId: id, amount: Math.max(0, (share?.amount ?? 0) - refunded) })
  }
  return parts
}

/** Returns the largest amounts that can be moved for a reservation. */
export async function findMovable(db: Database, { id, payment, status }: Reservation): Promise<Movable> {
  const money = await listMoneyOf(db, id)
  const sumOf = (kind: MoneyEntry['kind']) =>
    money.reduce((sum, entry) => (entry.kind === kind ? sum + entry.amount : sum), 0)
  const refundable = await listRefundable(db, id)
  const owed = payment === null || status === 'cancelled' ? 0 : payment.amount - payment.paid + payment.refunded
  return {
    due: Math.max(0, owed),
    processor: refundable.reduce((sum, { amount }) => sum + amount, 0),
    onSite: Math.max(0, sumOf('on_site') - sumOf('on_site_refund')),
  }
}
