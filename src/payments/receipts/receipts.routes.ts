import type { PanelContext } from '../../access/sessions/panel-session.routes.ts'
import type { receiptRoutes } from '../../contract/panel/outbound/receipts.ts'
import { findCustomer } from '../../customers/customers.sql.ts'
import type { Database } from '../../db/database.ts'
import type { Handlers } from '../../http/call.ts'
import { refusal } from '../../messages/refusal.ts'
import type { Operations } from '../../operations.ts'
import { findReservation } from '../../reservations/reservations.sql.ts'
import type { Receipt } from './receipt.ts'
import { listReceiptCustomers } from './receipt-customers.sql.ts'
import { receiptPage } from './receipt-page.ts'
import { findReceipt, loadReceiptSettings } from './receipts.sql.ts'

/**
 * Returns the handlers of the panel's routes that show and change the settings of receipts, and return a receipt to
 * print.
 */
export function receiptHandlers({ app }: Pick<PanelContext, 'app'>): Handlers<typeof receiptRoutes, Operations> {
  return {
    'GET /payments/receipts/settings/': () => loadReceiptSettings(app.db),
    'POST /payments/receipts/settings/': ({ body, perform }) => perform('payments.receipts.set', body),

    'GET /payments/receipt/': async ({ query: { id } }) => {
      const receipt = await findReceipt(app.db, id)
      if (!receipt) throw refusal('receipt_not_found')
      const page = await printedReceipt(app.db, receipt)
      return {
        name: `${receipt.number}.html`,
        type: 'text/html; charset=utf-8',
        file: (write) => write(page),
      }
    },
  }
}

/**
 * Returns a receipt as an HTML page to print, with the name of the customer to whom it was issued; without a name when
 * that customer or the reservation was removed.
 */
async function printedReceipt(db: Database, receipt: Receipt): Promise<string> {
  const reservation = await findReservation(db, receipt.reservationId)
  const customerId = reservation && (await listReceiptCustomers(db, [reservation])).get(receipt.id)
  const customer = customerId === undefined ? undefined : await findCustomer(db, customerId)
  return receiptPage(receipt, customer?.name)
}
