import type { Operation, Tx } from '../../db/perform/app.ts'
import type { LoggedEvent } from '../../history/event.ts'
import { startConsumer, stopConsumer } from '../../jobs/event-relay.ts'
import { cancelJobs, enqueue } from '../../jobs/queue.ts'
import { refusal } from '../../messages/refusal.ts'
import type { CalendarAccount } from '../accounts/account.ts'
import { findAccount } from '../accounts/accounts.sql.ts'
import { lockOwned } from '../lock-owned.operations.ts'
import type { CalendarDestination, MovePolicy } from './destination.ts'
import {
  deleteDestination,
  findDestination,
  hasDestinations,
  listUpcomingIds,
  listWritten,
  saveDestination,
} from './destinations.sql.ts'
import { deleteEventsOfAccount, hasEvents, listReservationsNaming, listUnwritten } from './events.sql.ts'

/** The name of the event log's consumer that queues the writing of reservations to calendars. */
export const calendarConsumer = 'calendars'

/**
 * The kinds of jobs that synchronise reservations with calendars: `write` has one job per reservation, `compare` one
 * per provider.
 */
export const destinationJobs = { write: 'calendar-event', compare: 'calendar-compare' }

/** The payload of a job that writes the calendar events of a reservation. */
export interface WriteJob {
  readonly reservationId: string
}

/**
 * The payload of a job that compares the calendar to which a provider's reservations are written with the reservations.
 */
export interface CompareJob {
  readonly providerId: number
}

/**
 * Queues the writing of calendar events for reservations that changed, and for the reservations of customers that
 * changed.
 */
export async function consumeForCalendars(tx: Tx, events: readonly LoggedEvent[]): Promise<void> {
  const idsOf = (kind: string) => events.flatMap(({ type, objectId }) => (type.startsWith(kind) ? objectId : []))
  const reservations = idsOf('reservation.')
  const named = await listReservationsNaming(tx.db, [...new Set(idsOf('customer.'))])
  await queueEvents(tx, [...new Set([...reservations, ...named])])
}

/**
 * Queues a job that writes the calendar events of a reservation, for each of the given reservations that has an event
 * or occupies the time of a provider with a destination (a calendar to which reservations are written).
 */
export async function queueEvents(tx: Tx, reservationIds: readonly string[]): Promise<void> {
  const written = await listWritten(tx.db, reservationIds)
  const jobs = written.map(({ reservationId, accountId }) => {
    const payload: WriteJob = { reservationId }
    return { kind: destinationJobs.write, key: reservationId, lane: accountId, payload }
  })
  await enqueue(tx, jobs)
}

/** The input of `setDestination`. */
export interface SetDestination {
  /** The id of the calendar account that contains the destination, the calendar to which reservations are written. */
  readonly id: string
  /** The id of the calendar within the account; null to write reservations to none of its calendars. */
  readonly calendar: string | null
  readonly policy: MovePolicy
  readonly names: boolean
  /** Whether the calendar system creates online meetings; false when absent, ignored for systems that cannot. */
  readonly meetings?: boolean
  /** The provider to which the acting user is restricted; undefined for a user without such a restriction. */
  readonly ofProvider?: number
}

/**
 * Chooses the calendar to which the reservations of a provider are written, or none. Queues the writing of upcoming
 * reservations, and the removal of their events from the calendar that was chosen before.
 */
export const setDestination: Operation<SetDestination, Record<string, never>> = async (tx, input) => {
  const account = await lockOwned(tx, input, findAccount)
  const { providerId } = account
  const { calendar, policy, names } = input
  const meetings = (input.meetings ?? false) && account.kind !== 'caldav'
  const before = await findDestination(tx.db, providerId)
  const current = before?.accountId === account.id ? before : undefined
  if (calendar === null && !current) return {}
  // The current destination can be chosen again with other settings even if the last listing lacks it, as when its user
  // has hidden it at the calendar system.
  const choices = [
    ...account.found.filter(({ writable }) => writable),
    ...(current ? [{ ref: current.calendar, name: current.name }] : []),
  ]
  const chosen = choices.find(({ ref }) => ref === calendar)
  if (calendar !== null && !chosen) throw refusal('calendar_not_found')
  const after: CalendarDestination | undefined = chosen && {
    ...{ providerId, accountId: account.id, calendar: chosen.ref, name: chosen.name, policy, names, meetings },
    ...{ cursor: '', listedAt: 0, readAt: 0, nextAt: tx.now, failures: 0, fault: null, faultDetail: '' },
    createdAt: current?.calendar === chosen.ref ? current.createdAt : tx.now,
  }
  const upcoming = await listUpcomingIds(tx.db, providerId, tx.now)
  if (after) await saveDestination(tx.db, after)
  else await deleteDestination(tx.db, providerId)
  await startConsumer(tx, calendarConsumer)
  // The queued jobs also remove the events of these reservations from the previously chosen calendar. They find the
  // events by their stored records, without the previous destination.
  await queueEvents(tx, upcoming)
  if (after) await compareSoon(tx, [providerId])
  else await stopWhenUnused(tx)
  const [object, previous] = [shownDestination(account, after), before ? shownDestination(account, before) : null]
  await tx.append({ type: 'calendar.updated', objectId: account.id, object, previous })
  return {}
}

function shownDestination(
  { providerId, host }: CalendarAccount,
  destination: Pick<CalendarDestination, 'name' | 'policy' | 'names' | 'meetings'> | undefined,
) {
  const { name, policy, names, meetings = false } = destination ?? { name: null, policy: null, names: null }
  return { providerId, host, name, policy, names, ...(meetings && { meetings }) }
}

/**
 * Before an account is disconnected, deletes the stored records of the events that were written to its calendars, and
 * the provider's destination (the calendar to which reservations are written) if it is one of them. The events remain
 * in the calendars.
 */
export async function dropDestination(tx: Tx, { id, providerId }: CalendarAccount): Promise<void> {
  await deleteEventsOfAccount(tx.db, id)
  const destination = await findDestination(tx.db, providerId)
  if (destination?.accountId === id) {
    await deleteDestination(tx.db, providerId)
    await cancelJobs(tx, destinationJobs.compare, [String(providerId)])
  }
  await stopWhenUnused(tx)
}

/**
 * After a change of an account's credentials, queues the comparison of the destination in the account, and the writing
 * of those of its events that have a fault. Does nothing for an account without a destination.
 */
export async function resumeDestination(tx: Tx, { id, providerId }: CalendarAccount): Promise<void> {
  const destination = await findDestination(tx.db, providerId)
  if (destination?.accountId !== id) return
  await compareSoon(tx, [providerId])
  await queueEvents(tx, await listUnwritten(tx.db, id))
}

async function stopWhenUnused(tx: Tx): Promise<void> {
  // Events of past reservations remain in a calendar that is no longer a destination. The consumer removes the names of
  // erased customers from them.
  const isUsed = (await hasDestinations(tx.db)) || (await hasEvents(tx.db))
  if (!isUsed) await stopConsumer(tx, calendarConsumer)
}

/**
 * Queues, for each of the given providers, the comparison of the calendar to which reservations are written with the
 * reservations.
 */
export async function compareSoon(tx: Tx, providerIds: readonly number[]): Promise<void> {
  await enqueue(
    tx,
    providerIds.map((providerId) => {
      const payload: CompareJob = { providerId }
      return { kind: destinationJobs.compare, key: String(providerId), payload }
    }),
  )
}
