import { listIdsOf } from '../../customers/erasure/traces.sql.ts'
import type { Database } from '../../db/database.ts'
import { toEvent } from '../../db/log/event-log.ts'
import type { Reservation } from '../../reservations/reservation.ts'

/**
 * Returns, by the id of each receipt and credit note of a reservation, the id of the customer to whom it was issued:
 * the customer of the reservation when the payment was begun, even if the reservation was given to another customer
 * since. Undefined for a customer who was erased.
 */
export async function listReceiptCustomers(
  db: Database,
  { id, customerId }: Pick<Reservation, 'id' | 'customerId'>,
): Promise<ReadonlyMap<string, string | undefined>> {
  const documents = await listDocuments(db, id)
  const owners = await listOwners(db, id)
  // The log has the former ids of customers who were merged.
  const own = new Set(await listIdsOf(db, customerId))
  const ownerAt = (at: number) => {
    const owner = owners.findLast((one) => one.at <= at) ?? { customerId }
    return owner.customerId !== undefined && own.has(owner.customerId) ? customerId : owner.customerId
  }
  const byNumber = new Map(documents.map((one) => [one.number, one]))
  const begunAt = ({ begun, corrects, issued }: Document): number => {
    const corrected = byNumber.get(corrects ?? '')
    return begun ?? (corrected ? begunAt(corrected) : issued)
  }
  return new Map(documents.map((one) => [one.id, ownerAt(begunAt(one))]))
}

/** Times in Unix seconds; `begun` is null for a document about a payment at the desk or by voucher. */
interface Document {
  readonly id: string
  readonly number: string
  readonly corrects: string | null
  readonly issued: number
  readonly begun: number | null
}

function listDocuments(db: Database, reservationId: string): Promise<Document[]> {
  return db.build
    .selectFrom('receipt')
    .leftJoin('ledger_posting', 'ledger_posting.id', 'receipt.posting_id')
    .leftJoin('payment', 'payment.id', 'ledger_posting.payment_id')
    .select(['receipt.id', 'number', 'corrects', 'issued_at as issued', 'payment.created_at as begun'])
    .where('receipt.reservation_id', '=', reservationId)
    .execute()
}

/** Returns the customers of a reservation by time, the oldest first, from the event log; undefined for erased ones. */
async function listOwners(db: Database, reservationId: string) {
  const rows = await db.build
    .selectFrom('event')
    .selectAll()
    .where('kind', '=', 'reservation')
    .where('object_id', '=', reservationId)
    .orderBy('created_at')
    .orderBy('tx')
    .orderBy('n')
    .execute()
  return rows.flatMap((row) => {
    const customerId = toEvent(row).object?.customerId
    if (row.body !== null && typeof customerId !== 'string') return []
    return { at: row.created_at, customerId: typeof customerId === 'string' ? customerId : undefined }
  })
}
