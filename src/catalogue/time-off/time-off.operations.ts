import type { ReadDatabase } from '../../db/database.ts'
import type { Operation, Tx } from '../../db/perform/app.ts'
import { message } from '../../messages/message.ts'
import { Refusal, refusal } from '../../messages/refusal.ts'
import { providerResource, resourceLock } from '../../scheduling/plan/resource.ts'
import type { Interval } from '../../scheduling/time/interval.ts'
import { lockCatalogue, requireProvider } from '../catalogue.operations.ts'
import { loadCatalogue } from '../catalogue.sql.ts'
import {
  countConflicts,
  deleteTimeOff,
  findTimeOff,
  insertTimeOff,
  listTimeOff,
  updateTimeOff,
} from './time-off.sql.ts'
import { type TimeOff, timeOffFault } from './time-off.ts'

/** Whose time off may be changed, and whether reservations in the way stay where they are. */
interface Changing {
  /** The one provider whose it may be; undefined is every one. */
  readonly ofProvider?: number
  /** Kept although reservations lie in it. */
  readonly despite?: boolean
}

export interface AddTimeOff extends Interval, Changing {
  readonly providerId: number
  readonly note?: string
  /** Of one that was removed and comes back; a new one when absent. */
  readonly id?: string
}

/** Keeps a stretch free of bookings; refuses while reservations lie in it, unless it is to be kept despite them. */
export const addTimeOff: Operation<AddTimeOff, { id: string }> = async (tx, input) => {
  const { id = tx.newId('time_off'), providerId, start, end, note = '', ofProvider, despite } = input
  const catalogue = await lockCatalogue(tx)
  // Someone else's is answered like one that does not exist.
  requireProvider(catalogue, ofProvider === undefined || ofProvider === providerId ? providerId : 0)
  await tx.lock([resourceLock(providerResource(providerId))])
  const made: TimeOff = { id, providerId, start, end, note }
  await requireFree(tx, made, despite)
  await insertTimeOff(tx.db, made)
  await tx.append({ type: 'time_off.created', objectId: made.id, object: { ...made }, previous: null })
  return { id: made.id }
}

export interface EditTimeOff extends Changing {
  readonly id: string
  readonly start?: number
  readonly end?: number
  readonly note?: string
}

/** Changes a time off; what is absent stays. Another stretch is checked as a new one is. */
export const editTimeOff: Operation<EditTimeOff, Record<string, never>> = async (tx, input) => {
  const before = await lockTimeOff(tx, input)
  const { start = before.start, end = before.end, note = before.note } = input
  const after: TimeOff = { ...before, start, end, note }
  const moves = start !== before.start || end !== before.end
  if (!moves && note === before.note) return {}
  if (moves) await requireFree(tx, after, input.despite)
  await updateTimeOff(tx.db, after)
  await tx.append({ type: 'time_off.updated', objectId: after.id, object: { ...after }, previous: { ...before } })
  return {}
}

/** Gives the stretch back to bookings. */
export const removeTimeOff: Operation<{ id: string; ofProvider?: number }, Record<string, never>> = async (
  tx,
  input,
) => {
  const before = await lockTimeOff(tx, input)
  await deleteTimeOff(tx.db, before.id)
  await tx.append({ type: 'time_off.removed', objectId: before.id, object: null, previous: { ...before } })
  return {}
}

/** The times off of a provider within a stretch; refuses one who is not there, or not for whoever asks. */
export function showTimeOff(
  db: ReadDatabase,
  asked: { readonly providerId: number; readonly from: number; readonly until: number },
  ofProvider: number | undefined,
) {
  return db.snapshot(async (read) => {
    const { providerId } = asked
    const catalogue = await loadCatalogue(read)
    requireProvider(catalogue, ofProvider === undefined || ofProvider === providerId ? providerId : 0)
    return { items: await listTimeOff(read, asked) }
  })
}

/** The time off, as it stays until the transaction ends; refuses one that is gone, or not for whoever asks. */
export async function lockTimeOff(tx: Tx, { id, ofProvider }: { readonly id: string; readonly ofProvider?: number }) {
  const found = await findTimeOff(tx.db, id)
  if (!found || (ofProvider !== undefined && found.providerId !== ofProvider)) throw unknownTimeOff()
  await lockCatalogue(tx)
  await tx.lock([resourceLock(providerResource(found.providerId))])
  // Asked again behind the lock: someone else may have changed or removed it meanwhile.
  const locked = await findTimeOff(tx.db, id)
  if (!locked) throw unknownTimeOff()
  return locked
}

async function requireFree(tx: Tx, wanted: TimeOff, despite = false): Promise<void> {
  const fault = timeOffFault(wanted)
  if (fault) throw new Refusal({ code: 'invalid_parameter', message: message('time_off_invalid'), details: fault })
  if (despite) return
  const count = await countConflicts(tx.db, wanted)
  if (count === 0) return
  throw refusal('reservations_in_the_way', { count })
}

function unknownTimeOff(): Refusal {
  return refusal('time_off_not_found')
}
