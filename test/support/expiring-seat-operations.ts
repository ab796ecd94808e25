import type { Operation } from '../../src/db/perform/app.ts'
import { operations as product } from '../../src/operations.ts'
import { renewSeats } from '../../src/reservations/occupancy.sql.ts'

const extendSeat: Operation<{ readonly id: string; readonly expiresAt: number }, object> = async (
  tx,
  { id, expiresAt },
) => {
  await renewSeats(tx.db, { reservationId: id, expiresAt })
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
 * The product's operations, and operations for tests: `extendSeat` changes the expiry of a reservation's seat, as the
 * start of a payment does; `displace` changes the wall time of a reservation to that of older time zone data.
 */
export const operations = { ...product, extendSeat, displace }
