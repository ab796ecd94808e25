import { createHash } from 'node:crypto'
import { findCustomer } from '../../customers/customers.sql.ts'
import { send } from '../../http/response/response.ts'
import { receiptPage, receiptStyle } from '../../payments/receipts/receipt-page.ts'
import { listReceiptsOfCustomer } from '../../payments/receipts/receipts.sql.ts'
import type { Reservation } from '../../reservations/reservation.ts'
import { answerPage, type PageRequest } from '../page-context.routes.ts'
import { messagePage } from '../views/layout.ts'

const styleHash = createHash('sha256').update(receiptStyle).digest('base64')
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; base-uri 'none'; frame-ancestors 'none'`

/**
 * Answers with a receipt or credit note that was issued to the customer for the reservation, as a page to print; with
 * 404 when the query parameter `id` is not the id of such a document.
 */
export async function answerReceipt(page: PageRequest & { readonly reservation: Reservation }): Promise<void> {
  const { sources, reservation, sent, reply, view } = page
  const own = await listReceiptsOfCustomer(sources.app.db, reservation)
  const receipt = own.find(({ id }) => id === sent.get('id'))
  if (!receipt) return answerPage(page, messagePage(view, 'linkInvalid', 'notFoundText'), 404, { own: true })
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy,
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  }
  const customer = await findCustomer(sources.app.db, reservation.customerId)
  const body = receiptPage(receipt, customer?.name)
  reply.hijack()
  send(reply.raw, { status: 200, headers, body })
}
