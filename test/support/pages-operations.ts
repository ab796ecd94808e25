import type { Operation } from '../../src/db/perform/app.ts'
import { operations as product } from '../../src/operations.ts'

/** Time in a provider's calendar that something other than a booking blocks; start and end in Unix seconds. */
export interface BlockedTime {
  readonly id: string
  readonly providerId: number
  readonly start: number
  readonly end: number
}

const block: Operation<BlockedTime, object> = async (tx, { id, providerId, start, end }) => {
  await tx.db.build
    .insertInto('busy')
    .values({ id, provider_id: providerId, source: 'calendar', start_at: start, end_at: end, note: '' })
    .execute()
  return {}
}

const unblock: Operation<{ readonly id: string; readonly later: number }, object> = async (tx, { id, later }) => {
  if (later === 0) await tx.db.build.deleteFrom('busy').where('id', '=', id).execute()
  else
    await tx.db.build
      .updateTable('busy')
      .set((e) => ({ start_at: e('start_at', '+', later), end_at: e('end_at', '+', later) }))
      .where('id', '=', id)
      .execute()
  return {}
}

const hold: Operation<
  BlockedTime & { readonly slot: string; readonly seat: number; readonly expiresAt: number },
  object
> = async (tx, { id, providerId, start, end, slot, seat, expiresAt }) => {
  await tx.db.build
    .insertInto('occupancy')
    .values({
      id,
      reservation_id: null,
      resource: `p${providerId}`,
      slot,
      seat,
      start_at: start,
      end_at: end,
      expires_at: expiresAt,
    })
    .execute()
  return {}
}

/**
 * The product's operations, and operations for tests that block, move and unblock time and create holds (seats reserved
 * for a limited time).
 */
export const operations = { ...product, block, unblock, hold }
