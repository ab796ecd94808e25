import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import { paymentRule } from '../../catalogue/services/payment-rule.ts'
import type { Tx } from '../../db/perform/app.ts'
import { findReservation } from '../../reservations/reservations.sql.ts'
import { findSaleRate, insertPosting } from './ledger.sql.ts'
import { entryOf, type Fact, isSale, type Subject } from './ledger.ts'

/** Records facts in the books, each once; facts without an amount are left out. */
export async function post(tx: Tx, facts: readonly Fact[]): Promise<void> {
  for (const fact of facts) {
    if (fact.amount === 0) continue
    const subject = await subjectOf(tx, fact)
    await insertPosting(tx.db, { id: tx.newId('posting'), fact, entry: entryOf(fact), subject, postedAt: tx.now })
  }
}

const nothing: Subject = { serviceId: null, providerId: null, taxRate: null }

async function subjectOf({ db }: Tx, { kind, reservationId }: Fact): Promise<Subject> {
  const reservation = reservationId ? await findReservation(db, reservationId) : undefined
  if (!reservation) return nothing
  const { id, serviceId, providerId } = reservation
  // What reduces a sale carries the rate of the sale, even if the rate of the service has changed since.
  const sold = isSale(kind) ? undefined : await findSaleRate(db, id)
  if (sold) return { serviceId, providerId, taxRate: sold.rate }
  const service = (await loadCatalogue(db)).service(serviceId)
  const percent = service ? paymentRule(service.settings).taxPercent : null
  return { serviceId, providerId, taxRate: percent === null ? null : Math.round(percent * 100) }
}
