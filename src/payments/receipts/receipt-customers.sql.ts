import { sql } from 'kysely'
import { listIdsOf } from '../../customers/erasure/traces.sql.ts'
import type { Database } from '../../db/database.ts'
import { toEvent } from '../../db/log/event-log.ts'
import type { Reservation } from '../../reservations/reservation.ts'

/**
 * Returns, by the id of each receipt and credit note of the reservations, the id of the customer to whom it was issued:
 * the customer of the reservation when the payment was begun, even if the reservation was given to another customer
 * since. Undefined for a customer who was erased.
 */
export async function listReceiptCustomers(
  db: Database,
  reservations: readonly Pick<Reservation, 'id' | 'customerId'>[],
): Promise<ReadonlyMap<string, string | undefined>> {
  const ids = reservations.map(({ id }) => id)
  const documentsOf = Map.groupBy(await listDocuments(db, ids), ({ reservationId }) => reservationId)
  const ownersOf = Map.groupBy(await listOwners(db, ids), ({ reservationId }) => reservationId)
  const presentIds = await listPresentIds(db, [...new Set(reservations.map(({ customerId }) => customerId))])
  const issuedTo = reservations.flatMap(({ id, customerId }) => {
    const documents = documentsOf.get(id) ?? []
    const owners = ownersOf.get(id) ?? []
    const ownerAt = (at: number) => {
      const owner = owners.findLast((one) => one.at <= at) ?? { customerId }
      return owner.customerId && (presentIds.get(owner.customerId) ?? owner.customerId)
    }
    const byNumber = new Map(documents.map((one) => [one.number, one]))
    const begunAt = ({ begun, corrects, issued }: Document): number => {
      const corrected = byNumber.get(corrects ?? '')
      return begun ?? (corrected ? begunAt(corrected) : issued)
    }
    return documents.map((one) => [one.id, ownerAt(begunAt(one))] as const)
  })
  return new Map(issuedTo)
}

/** Returns the present id of each customer, and of the customers merged into them: the log has these former ids. */
async function listPresentIds(db: Database, customerIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const present = new Map<string, string>()
  for (const id of customerIds) for (const former of await listIdsOf(db, id)) present.set(former, id)
  return present
}

/** Times in Unix seconds; `begun` is null for a document about a payment at the desk or by voucher. */
interface Document {
  readonly id: string
  readonly reservationId: string
  readonly number: string
  readonly corrects: string | null
  readonly issued: number
  readonly begun: number | null
}

function listDocuments(db: Database, reservationIds: readonly string[]): Promise<Document[]> {
  return db.build
    .selectFrom('receipt')
    .leftJoin('ledger_posting', 'ledger_posting.id', 'receipt.posting_id')
    .leftJoin('payment', 'payment.id', 'ledger_posting.payment_id')
    .select(['receipt.id', 'receipt.reservation_id as reservationId', 'number', 'corrects', 'issued_at as issued'])
    .select('payment.created_at as begun')
    .where(db.dialect.listed(sql.ref('receipt.reservation_id'), reservationIds, 'text'))
    .execute()
}

/** Returns the customers of reservations by time, the oldest first, from the event log; undefined for erased ones. */
async function listOwners(db: Database, reservationIds: readonly string[]) {
  const rows = await db.build
    .selectFrom('event')
    .selectAll()
    .where('kind', '=', 'reservation')
    .where(db.dialect.listed(sql.ref('object_id'), reservationIds, 'text'))
    .orderBy('created_at')
    .orderBy('tx')
    .orderBy('n')
    .execute()
  return rows.flatMap((row) => {
    const customerId = toEvent(row).object?.customerId
    if (row.body !== null && typeof customerId !== 'string') return []
    // Of the state in which a reservation got a customer who was erased, an empty id remains.
    const owner = typeof customerId === 'string' && customerId !== '' ? customerId : undefined
    return { reservationId: row.object_id, at: row.created_at, customerId: owner }
  })
}
