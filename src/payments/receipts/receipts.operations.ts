import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import { findCustomer } from '../../customers/customers.sql.ts'
import type { Operation, Tx } from '../../db/perform/app.ts'
import { includedTax } from '../../money.ts'
import type { Reservation } from '../../reservations/reservation.ts'
import { wallTime } from '../../scheduling/time/zone.ts'
import type { Fact } from '../ledger/ledger.ts'
import { correctedNumber, documentOf, numberText, type ReceiptSettings, seriesOf } from './receipt.ts'
import { insertReceipt, listCorrectable, loadReceiptSettings, saveReceiptSettings, takeNumber } from './receipts.sql.ts'

/** The input of `issueReceipt`: a movement of money, just posted to the books, for a reservation. */
export interface PostedFact {
  readonly postingId: string
  readonly fact: Fact
  readonly reservation: Reservation
  readonly taxRate: number | null
}

/**
 * Issues the receipt or the credit note of a posting, if postings of its kind have one. It locks the counter of the
 * document numbers until the transaction ends, so the transaction must not wait for any other lock afterwards.
 */
export async function issueReceipt(tx: Tx, { postingId, fact, reservation, taxRate }: PostedFact): Promise<void> {
  const document = documentOf(fact.kind)
  if (!document || fact.amount <= 0) return
  const { db, now } = tx
  const { kind, method, corrects } = document
  const { amount, currency } = fact
  const { id: reservationId, serviceId, customerId, start: serviceAt } = reservation
  const catalogue = await loadCatalogue(db)
  const { site } = catalogue
  const { years: _, ...seller } = await loadReceiptSettings(db)
  const corrected = corrects && correctedNumber(fact, await listCorrectable(db, reservationId, corrects))
  const year = Number(wallTime(site.timezone, now).slice(0, 4))
  const series = seriesOf(kind, year)
  const number = numberText(series, await takeNumber(db, series))
  const about = { postingId, reservationId, service: catalogue.service(serviceId)?.name ?? '', serviceAt, method }
  await insertReceipt(db, {
    ...{ id: tx.newId('receipt'), kind, number, year, issuedAt: now, corrects: corrected, ...about },
    ...{ amount, currency, taxRate, tax: taxRate === null ? null : includedTax(amount, taxRate) },
    language: (await findCustomer(db, customerId))?.language || site.language,
    zone: site.timezone,
    seller: { ...seller, name: seller.name || site.name },
  })
}

/** Changes the seller that new receipts show, and the retention period of all receipts. */
export const setReceiptSettings: Operation<ReceiptSettings, Record<never, never>> = async (tx, settings) => {
  await tx.lock(['payment-settings'])
  const before = await loadReceiptSettings(tx.db)
  await saveReceiptSettings(tx.db, settings)
  await tx.append({
    type: 'payment_settings.updated',
    objectId: 'receipts',
    object: { ...settings },
    previous: { ...before },
  })
  return {}
}
