import { lockCatalogue, requireProvider } from '../catalogue/catalogue.operations.ts'
import type { Operation, Tx } from '../db/perform/app.ts'
import { enqueue } from '../jobs/queue.ts'
import { refusal } from '../messages/refusal.ts'
import { providerResource, resourceLock } from '../scheduling/plan/resource.ts'
import { type Blocking, type CalendarKind, type ConnectedCalendar, laneOf, shownInHistory } from './calendar.ts'
import {
  deleteCalendar,
  findCalendar,
  insertCalendar,
  listCalendars,
  makeDue,
  updateCalendar,
} from './calendars.sql.ts'

/** The kind of the jobs that read calendars; the key is the group of calendars. */
export const syncKind = 'calendar-sync'

/** The maximum number of calendars that one provider may connect. */
export const maxCalendars = 20

/** Whose calendars a caller may change. */
interface Changing {
  /** The provider of the acting user; undefined for all providers. */
  readonly ofProvider?: number
}

/** The input of `connectCalendar`. */
export interface ConnectCalendar extends Changing {
  readonly id: string
  readonly providerId: number
  readonly kind: CalendarKind
  readonly name: string
  readonly host: string
  /** The encrypted address and credentials: neither crosses the write seam. */
  readonly sealed: string
  readonly blocking: Blocking
}

/** Connects a calendar, which is read at once. Its provider is not offered until it has been read. */
export const connectCalendar: Operation<ConnectCalendar, { readonly id: string }> = async (tx, input) => {
  const { ofProvider, ...settings } = input
  const catalogue = await lockCatalogue(tx)
  // Another provider's calendar is refused like an unknown one, so that it cannot be discovered.
  requireProvider(catalogue, ofProvider === undefined || ofProvider === input.providerId ? input.providerId : 0)
  await tx.lock([resourceLock(providerResource(input.providerId))])
  const known = await listCalendars(tx.db, input.providerId)
  if (known.length >= maxCalendars) throw refusal('calendar_limit', { count: maxCalendars })
  const calendar: ConnectedCalendar = {
    ...settings,
    ...{ account: null, content: null, coveredUntil: 0, readAt: 0, triedAt: null, nextAt: tx.now },
    ...{ failures: 0, fault: null, faultDetail: '', revision: 0, turn: 0, createdAt: tx.now },
  }
  await insertCalendar(tx.db, calendar, tx.now)
  await syncSoon(tx, [calendar])
  await tx.append({ type: 'calendar.created', objectId: input.id, object: shownInHistory(calendar), previous: null })
  return { id: input.id }
}

/** The input of `editCalendar`; an absent field is unchanged. */
export interface EditCalendar extends Changing {
  readonly id: string
  readonly name?: string
  readonly blocking?: Blocking
  /** A new address or credentials, with the host. */
  readonly address?: { readonly sealed: string; readonly host: string }
}

/** Changes a calendar. Unless only its name changes, it is read again at once; until then, the old busy times block. */
export const editCalendar: Operation<EditCalendar, Record<string, never>> = async (tx, input) => {
  const before = await lockCalendar(tx, input)
  const { name = before.name, blocking = before.blocking, address } = input
  const named: ConnectedCalendar = { ...before, name }
  const isRead = address !== undefined || input.blocking !== undefined
  const after: ConnectedCalendar = isRead
    ? { ...named, ...address, blocking, content: null, nextAt: tx.now, failures: 0, revision: before.revision + 1 }
    : named
  await updateCalendar(tx.db, after, tx.now)
  if (isRead) await syncSoon(tx, [after])
  const [object, previous] = [shownInHistory(after), shownInHistory(before)]
  await tx.append({ type: 'calendar.updated', objectId: after.id, object, previous })
  return {}
}

/** Disconnects a calendar; its busy times no longer block. */
export const removeCalendar: Operation<{ readonly id: string } & Changing, Record<string, never>> = async (
  tx,
  input,
) => {
  const before = await lockCalendar(tx, input)
  await deleteCalendar(tx.db, before.id)
  await tx.append({ type: 'calendar.removed', objectId: before.id, object: null, previous: shownInHistory(before) })
  return {}
}

/** Reads a calendar as soon as possible. */
export const requestSync: Operation<{ readonly id: string } & Changing, Record<string, never>> = async (tx, input) => {
  const calendar = await lockCalendar(tx, input)
  await makeDue(tx.db, calendar.id, tx.now)
  await syncSoon(tx, [calendar])
  return {}
}

/** Stores the secret of a calendar encrypted with another key, unless it changed in the meantime. */
export const resealCalendar: Operation<
  { readonly id: string; readonly from: string; readonly to: string },
  Record<string, never>
> = async (tx, { id, from, to }) => {
  const found = await findCalendar(tx.db, id)
  if (found?.sealed === from) await updateCalendar(tx.db, { ...found, sealed: to }, tx.now)
  return {}
}

/** Enqueues the jobs that read these calendars. */
export async function syncSoon(tx: Tx, calendars: readonly Pick<ConnectedCalendar, 'host'>[]): Promise<void> {
  const lanes = new Set(calendars.map(({ host }) => laneOf(host)))
  await enqueue(
    tx,
    [...lanes].map((lane) => ({ kind: syncKind, key: `lane-${lane}`, payload: { lane } })),
  )
}

/** Loads a calendar with its provider's time locked; refuses an unknown id and another provider's calendar. */
async function lockCalendar(tx: Tx, { id, ofProvider }: { readonly id: string } & Changing) {
  const found = await findCalendar(tx.db, id)
  if (!found || (ofProvider !== undefined && found.providerId !== ofProvider)) throw refusal('calendar_not_found')
  await lockCatalogue(tx)
  await tx.lock([resourceLock(providerResource(found.providerId))])
  // The first read only found the keys to lock; the calendar may have been changed before the lock was granted.
  const locked = await findCalendar(tx.db, id)
  if (!locked) throw refusal('calendar_not_found')
  return locked
}
