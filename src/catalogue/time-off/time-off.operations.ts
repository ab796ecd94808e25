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

/**
 * The inputs that the operations on time off share: whose time off may be changed, and whether it may be stored
 * although reservations overlap it.
 */
interface Changing {
  /** The id of the only provider whose time off the acting user may change; absent when the user may change any. */
  readonly ofProvider?: number
  /** Whether the time off is stored although reservations overlap it; false when absent. */
  readonly despite?: boolean
}

/** The input of `addTimeOff`. */
export interface AddTimeOff extends Interval, Changing {
  readonly providerId: number
  readonly note?: string
  /** The id of a removed time off to restore; when absent, a new id is assigned. */
  readonly id?: string
}

/** Adds a time off of a provider; refuses while reservations overlap it, unless `despite` is set. */
export const addTimeOff: Operation<AddTimeOff, { id: string }> = async (tx, input) => {
  const { id = tx.newId('time_off'), providerId, start, end, note = '', ofProvider, despite } = input
  const catalogue = await lockCatalogue(tx)
  // A provider that the user may not change is refused as unknown, so that its existence is not revealed.
  requireProvider(catalogue, ofProvider === undefined || ofProvider === providerId ? providerId : 0)
  await tx.lock([resourceLock(providerResource(providerId))])
  const made: TimeOff = { id, providerId, start, end, note }
  await requireFree(tx, made, despite)
  await insertTimeOff(tx.db, made)
  await tx.append({ type: 'time_off.created', objectId: made.id, object: { ...made }, previous: null })
  return { id: made.id }
}

/** The input of `addTimeOffToAll`. */
export interface AddTimeOffToAll extends Interval, Pick<Changing, 'despite'> {
  readonly providerIds: readonly number[]
  readonly note?: string
}

/** Adds the same time off to several providers: to all of them or to none. */
export const addTimeOffToAll: Operation<AddTimeOffToAll, { ids: readonly string[] }> = async (tx, input) => {
  const { providerIds, ...timeOff } = input
  const distinct = [...new Set(providerIds)]
  await lockCatalogue(tx)
  // The locks of all providers are taken in one call, which sorts them, so that two concurrent calls cannot deadlock.
  await tx.lock(distinct.map((id) => resourceLock(providerResource(id))))
  const ids: string[] = []
  for (const providerId of distinct) ids.push((await addTimeOff(tx, { ...timeOff, providerId })).id)
  return { ids }
}

/** The input of `editTimeOff`. */
export interface EditTimeOff extends Changing {
  readonly id: string
  readonly start?: number
  readonly end?: number
  readonly note?: string
}

/**
 * Changes a time off; an absent field is unchanged. A changed interval is refused while reservations overlap it, unless
 * `despite` is set.
 */
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

/** Removes a time off of a provider. */
export const removeTimeOff: Operation<{ id: string; ofProvider?: number }, Record<string, never>> = async (
  tx,
  input,
) => {
  const before = await lockTimeOff(tx, input)
  await deleteTimeOff(tx.db, before.id)
  await tx.append({ type: 'time_off.removed', objectId: before.id, object: null, previous: { ...before } })
  return {}
}

/**
 * Lists a provider's time off that overlaps an interval; refuses an unknown provider and, when `ofProvider` is given,
 * every other provider.
 */
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

/**
 * Loads a time off, locked until the transaction ends; refuses an unknown id and, when `ofProvider` is given, the time
 * off of another provider.
 */
export async function lockTimeOff(tx: Tx, { id, ofProvider }: { readonly id: string; readonly ofProvider?: number }) {
  const found = await findTimeOff(tx.db, id)
  if (!found || (ofProvider !== undefined && found.providerId !== ofProvider)) throw unknownTimeOff()
  await lockCatalogue(tx)
  await tx.lock([resourceLock(providerResource(found.providerId))])
  // The time off may have been changed or removed before the locks were granted, so it is read again.
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
