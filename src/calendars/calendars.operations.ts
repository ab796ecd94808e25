import { saveOpenings } from '../catalogue/providers/calendar-openings.sql.ts'
import { bumpCatalogue } from '../catalogue/site/site.sql.ts'
import { sameJson } from '../data.ts'
import type { Operation, Tx } from '../db/perform/app.ts'
import { enqueue } from '../jobs/queue.ts'
import { refusal } from '../messages/refusal.ts'
import { type Blocking, type CalendarKind, type ConnectedCalendar, laneOf, shownInHistory } from './calendar.ts'
import {
  deleteCalendar,
  deleteItems,
  findCalendar,
  insertCalendar,
  listCalendars,
  makeDue,
  replaceAddress,
  updateCalendar,
} from './calendars.sql.ts'
import { type Changing, type ChangingOne, lockOwned, lockProvider } from './lock-owned.operations.ts'
import type { OpeningRule } from './openings/opening-rule.ts'

/**
 * The kind of the jobs that read connected calendars. One job reads the calendars of one lane, a group of hosts (see
 * `syncLanes`); the key of the job contains the number of the lane.
 */
export const syncKind = 'calendar-sync'

/** The maximum number of calendars that one provider may connect. */
export const maxCalendars = 20

/** The input of `connectCalendar`. */
export interface ConnectCalendar extends Changing {
  readonly id: string
  readonly providerId: number
  readonly kind: CalendarKind
  readonly name: string
  readonly host: string
  /**
   * The calendar's address, encrypted by the caller, so that the operation's input does not contain it in plain text.
   */
  readonly sealed: string
  readonly blocking: Blocking
  readonly opening: OpeningRule | null
}

/** Connects a calendar and queues its first reading. The provider cannot be booked until the calendar has been read. */
export const connectCalendar: Operation<ConnectCalendar, { readonly id: string }> = async (tx, input) => {
  const { ofProvider, ...settings } = input
  await lockProvider(tx, input)
  const known = await listCalendars(tx.db, input.providerId)
  if (known.length >= maxCalendars) throw refusal('calendar_limit', { count: maxCalendars })
  await addCalendar(tx, { ...settings, account: null })
  await syncSoon(tx, [settings])
  return { id: input.id }
}

/** Adds a connected calendar that has not been read yet. */
export async function addCalendar(
  tx: Tx,
  settings: Omit<ConnectCalendar, 'ofProvider' | 'kind'> & Pick<ConnectedCalendar, 'kind' | 'account'>,
): Promise<void> {
  const calendar: ConnectedCalendar = {
    ...settings,
    ...{ openingFaults: [], content: null, coveredUntil: 0, readAt: 0, triedAt: null, nextAt: tx.now },
    ...{ failures: 0, fault: null, faultDetail: '', revision: 0, turn: 0, createdAt: tx.now },
  }
  await insertCalendar(tx.db, calendar, tx.now)
  const object = shownInHistory(calendar)
  await tx.append({ type: 'calendar.created', objectId: calendar.id, object, previous: null })
}

/** The input of `editCalendar`; an absent field is unchanged. */
export interface EditCalendar extends ChangingOne {
  readonly name?: string
  readonly blocking?: Blocking
  /** The new rule for events that open time for booking; null for none, absent when the rule is unchanged. */
  readonly opening?: OpeningRule | null
  /** The new address of the calendar, encrypted, and its host name; absent when the address is unchanged. */
  readonly address?: { readonly sealed: string; readonly host: string }
}

/**
 * Changes a connected calendar. If the input contains more than a new name, the calendar is queued to be read at once.
 * Until it has been read, the times that its events blocked or opened for booking before the change still apply.
 */
export const editCalendar: Operation<EditCalendar, Record<string, never>> = async (tx, input) => {
  const before = await lockOwned(tx, input, findCalendar)
  const { name = before.name, blocking = before.blocking, opening = before.opening, address } = input
  // A calendar of an account is found by its id there and has no address of its own.
  if (address && before.account) throw refusal('calendar_not_found')
  const named: ConnectedCalendar = { ...before, name }
  const isRead = address !== undefined || input.blocking !== undefined || input.opening !== undefined
  const after: ConnectedCalendar = isRead
    ? {
        ...named,
        ...address,
        blocking,
        opening,
        content: null,
        nextAt: tx.now,
        failures: 0,
        revision: before.revision + 1,
      }
    : named
  await updateCalendar(tx.db, after, { now: tx.now, hasNewAddress: address !== undefined })
  // Stored items contain no titles. If the title of an event matches the rule for opening time, they contain the
  // settings in the title, such as `[price=60]`. After a change of the rule, all items must therefore be read again.
  if (!sameJson(opening, before.opening)) await deleteItems(tx.db, after.id)
  if (isRead) await syncSoon(tx, [after])
  const [object, previous] = [shownInHistory(after), shownInHistory(before)]
  await tx.append({ type: 'calendar.updated', objectId: after.id, object, previous })
  return {}
}

/** Disconnects a calendar; its events no longer block time or open time for booking. */
export const removeCalendar: Operation<ChangingOne, Record<string, never>> = async (tx, input) => {
  await dropCalendar(tx, await lockOwned(tx, input, findCalendar, 'catalogue!'))
  return {}
}

/**
 * Deletes a connected calendar. The caller must hold the lock that serialises changes of the provider's bookable time,
 * and the exclusive lock of the catalogue.
 */
export async function dropCalendar(tx: Tx, calendar: ConnectedCalendar): Promise<void> {
  const { id: calendarId, providerId } = calendar
  if (await saveOpenings(tx.db, { calendarId, providerId, openings: [] })) await bumpCatalogue(tx)
  await deleteCalendar(tx.db, calendar.id)
  await tx.append({ type: 'calendar.removed', objectId: calendar.id, object: null, previous: shownInHistory(calendar) })
}

/** Makes a connected calendar due now and queues its reading. */
export const requestSync: Operation<ChangingOne, Record<string, never>> = async (tx, input) => {
  const calendar = await lockOwned(tx, input, findCalendar)
  await makeDue(tx.db, calendar.id, tx.now)
  await syncSoon(tx, [calendar])
  return {}
}

/**
 * Stores the secret of a calendar encrypted with another key; does nothing when the stored secret is no longer `from`.
 */
export const resealCalendar: Operation<
  { readonly id: string; readonly from: string; readonly to: string },
  Record<string, never>
> = async (tx, reseal) => {
  await replaceAddress(tx.db, reseal)
  return {}
}

/**
 * Queues a job for each lane (group of hosts) of the given calendars; the job reads all calendars of its lane that are
 * due.
 */
export async function syncSoon(tx: Tx, calendars: readonly Pick<ConnectedCalendar, 'host'>[]): Promise<void> {
  const lanes = new Set(calendars.map(({ host }) => laneOf(host)))
  await enqueue(
    tx,
    [...lanes].map((lane) => ({ kind: syncKind, key: `lane-${lane}`, payload: { lane } })),
  )
}
