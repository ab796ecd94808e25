import type { PanelContext } from '../../access/sessions/panel-session.routes.ts'
import type { deskPaymentRoutes } from '../../contract/panel/outbound/desk-payments.ts'
import type { Handlers } from '../../http/call.ts'
import { refusal } from '../../messages/refusal.ts'
import { previewFeeMessage } from '../../notifications/announcement.operations.ts'
import type { Operations } from '../../operations.ts'
import { withFeeState } from '../../reservations/payment.ts'
import { isAwaiting } from '../../reservations/reservation.ts'
import { findReservation } from '../../reservations/reservations.sql.ts'
import type { SavedCard } from '../cards/card.ts'
import { findCardOf } from '../cards/cards.sql.ts'
import { listDisputesOf } from '../disputes/disputes.sql.ts'
import { listReceipts } from '../receipts/receipts.sql.ts'
import { previewCancellations } from '../refunds/cancellation.operations.ts'
import { listRefusedRefunds, loadMoney } from './desk-payments.sql.ts'
import { maxPreviewed } from './desk-payments.ts'

/**
 * Returns the handlers of the panel's routes that show the payments of a reservation, preview the refunds of
 * cancellations, record a payment at the desk, refund or waive an amount, and preview, charge or request the no-show
 * fee.
 */
export function deskPaymentHandlers({
  app,
}: Pick<PanelContext, 'app'>): Handlers<typeof deskPaymentRoutes, Operations> {
  return {
    'GET /payments/reservation/': async ({ query: { id } }) => {
      const reservation = await findReservation(app.db, id)
      if (!reservation) throw refusal('reservation_not_found')
      const { refundable, entries, ...most } = await loadMoney(app.db, reservation)
      const disputes = await listDisputesOf(
        app.db,
        refundable.map(({ paymentId }) => paymentId),
      )
      return {
        payment: reservation.payment,
        ...most,
        card: shownCard(await findCardOf(app.db, id)),
        waits: isAwaiting(reservation),
        missed: reservation.status === 'confirmed' && reservation.attendance.state === 'no_show',
        receipts: (await listReceipts(app.db, id)).map(({ id: receiptId, kind, number, amount, currency }) => {
          return { id: receiptId, kind, number, amount, currency }
        }),
        disputes: disputes.map(({ createdAt: at, amount, currency, reason, state, dueAt }) => {
          return { at, amount, currency, reason, state, dueAt }
        }),
        entries: [...entries, ...(await listRefusedRefunds(app.db, id))].toSorted((one, other) => one.at - other.at),
      }
    },

    'GET /payments/cancellation/': async ({ query: { ids }, now }) =>
      previewCancellations(app.db, ids.split(',').slice(0, maxPreviewed), { now, by: 'user' }),

    'GET /payments/no-show/': async ({ query: { id, by } }) => {
      const reservation = await findReservation(app.db, id)
      const { payment } = reservation ?? {}
      if (!reservation || !payment?.noShowFee) throw refusal('nothing_due')
      const claimed = { ...reservation, payment: withFeeState(payment, 'charging') }
      const { due } = await loadMoney(app.db, claimed)
      const kind = by === 'card' ? 'fee_charged' : 'fee_requested'
      const fee = { amount: due, currency: payment.currency }
      return {
        ...{ ...fee, card: shownCard(await findCardOf(app.db, id)) },
        mail: await previewFeeMessage(app.db, reservation, { kind, fee }),
      }
    },

    'POST /payments/no-show/charge/': ({ body, perform }) => perform('payments.fee.charge', body),

    'POST /payments/no-show/link/': ({ body, perform }) => perform('payments.fee.link', body),

    'POST /payments/refund/': ({ body, perform }) => perform('payments.refund', body),

    'POST /payments/write-off/': ({ body, perform }) => perform('payments.write-off', body),

    'POST /payments/on-site/': ({ body, perform }) => perform('payments.on-site', body),
  }
}

function shownCard(card: SavedCard | undefined) {
  return card?.removedAt === null ? { brand: card.brand, last4: card.last4 } : null
}
