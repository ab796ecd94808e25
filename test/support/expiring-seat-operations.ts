import type { Database } from '../../src/db/database.ts'
import type { Operation, Tx } from '../../src/db/perform/app.ts'
import { operations as product } from '../../src/operations.ts'
import { editReservation } from '../../src/reservations/booking/edit.operations.ts'
import { deleteExpired } from '../../src/reservations/holds/holds.sql.ts'
import { renewSeats } from '../../src/reservations/occupancy.sql.ts'

const extendSeat: Operation<{ readonly id: string; readonly expiresAt: number }, object> = async (
  tx,
  { id, expiresAt },
) => {
  await renewSeats(tx.db, { reservationId: id, expiresAt }, tx.now)
  return {}
}

const displace: Operation<{ readonly id: string; readonly localStart: string }, object> = async (
  tx,
  { id, localStart },
) => {
  const stale = { local_start: localStart, tz_version: '2000a' }
  await tx.db.build.updateTable('reservation').set(stale).where('id', '=', id).execute()
  return {}
}

/**
 * When the seats that have expired by `at` are deleted: before the statement with this index, from 0; and the size of
 * the batch that is deleted, 100 when absent.
 */
interface Deletion {
  readonly index: number
  readonly at: number
  readonly limit?: number
}

/**
 * Runs `work` with a transaction in which the expired seats are deleted before one of its statements, as another
 * transaction of PostgreSQL may do between two statements; returns the number of statements.
 */
async function amidDeletion(
  tx: Tx,
  { index, at, limit = 100 }: Deletion,
  work: (tx: Tx) => Promise<unknown>,
): Promise<number> {
  let statements = 0
  const begin = async (): Promise<void> => {
    if (statements === index) await deleteExpired(tx.db, at, limit)
    statements += 1
  }
  const run: Database['run'] = async (query, values) => {
    await begin()
    return tx.db.run(query, values)
  }
  const { dialect } = tx.db
  const build = dialect.builderOver(async (query) => {
    await begin()
    return tx.db.build.executeQuery(query)
  })
  await work({ ...tx, db: { dialect, run, build } })
  return statements
}

const confirmAmidDeletion: Operation<
  { readonly id: string; readonly deletion: Deletion },
  { readonly statements: number }
> = async (tx, { id, deletion }) => ({
  statements: await amidDeletion(tx, deletion, (own) => editReservation(own, { id, status: 'confirmed' })),
})

const extendHoldAmidDeletion: Operation<
  { readonly formHash: string; readonly deletion: Deletion },
  { readonly statements: number }
> = async (tx, { formHash, deletion }) => ({
  statements: await amidDeletion(tx, deletion, (own) => product['reservations.holds.extend'](own, { formHash })),
})

/**
 * The product's operations, and operations for tests: `extendSeat` changes the expiry of a reservation's seat, as the
 * start of a payment does; `displace` changes the wall time of a reservation to that of older time zone data. The
 * others confirm a reservation and extend a hold while another transaction deletes expired seats.
 */
export const operations = { ...product, extendSeat, displace, confirmAmidDeletion, extendHoldAmidDeletion }
