import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { hasOpenings, saveOpenings } from '../../catalogue/providers/calendar-openings.sql.ts'
import { bumpCatalogue } from '../../catalogue/site/site.sql.ts'
import type { Database } from '../../db/database.ts'
import type { Operation } from '../../db/perform/app.ts'
import { providerResource, resourceLock } from '../../scheduling/plan/resource.ts'
import type { Interval } from '../../scheduling/time/interval.ts'
import { type ItemChanges, saveItems } from '../accounts/items.sql.ts'
import { failureDelay, type ReadContent } from '../calendar.ts'
import type { CalendarFaultCode } from '../calendar-fault.ts'
import { syncSoon } from '../calendars.operations.ts'
import {
  type CalendarFigures,
  calendarFigures,
  deleteBusyTimes,
  findCalendar,
  insertBusyTimes,
  listBusyTimes,
  listDueHosts,
  type ReadRevision,
  recordFault,
  recordReading,
  recordUnchanged,
} from '../calendars.sql.ts'
import { compareSoon } from '../destinations/destinations.operations.ts'
import { listDueDestinations } from '../destinations/destinations.sql.ts'
import type { ReadOpenings } from '../openings/openings.ts'

/** The input of `storeCalendar`: the result of a reading that found changes or expanded all events again. */
export interface ReadCalendar {
  readonly id: string
  /** The revision of the calendar's settings with which the calendar was read. */
  readonly revision: number
  /** The time at which the calendar was due (Unix seconds) when the reading began. */
  readonly nextAt: number
  readonly content: ReadContent
  /** The interval in which the busy times of the calendar are known completely. */
  readonly window: Interval
  /**
   * The starts and ends of the calendar's busy times in Unix seconds, alternating; the times are sorted and disjoint.
   */
  readonly times: readonly number[]
  /** The times that the calendar's events open for booking, and the events that should open time but have a fault. */
  readonly opened: ReadOpenings
  /** The changed items of a calendar of an account; absent for a calendar file. */
  readonly items?: ItemChanges
}

/**
 * Stores the result of a reading, unless the calendar's settings or sync position have changed since the reading began.
 * Writes only the differences in busy times, so that availability is computed again only for the affected days.
 * Availability of all days is computed again if openings (times that events open for booking) have changed, the
 * previous successful reading may be too old (see `lastTooOld`), or the end of the window has moved.
 */
export const storeCalendar: Operation<ReadCalendar, { readonly added: number; readonly removed: number }> = async (
  tx,
  { id, revision, nextAt: dueAt, content, window, times, opened, items },
) => {
  const nothing = { added: 0, removed: 0 }
  const found = await findCalendar(tx.db, id)
  if (!found) return nothing
  const catalogue = await loadCatalogue(tx.db)
  // Openings are a part of the catalogue, like weekly opening hours. The catalogue is therefore locked for writing if
  // the calendar has a rule for openings, or has openings from before its rule was removed.
  const mayChange = found.opening !== null || (await hasOpenings(tx.db, id))
  await tx.lock([mayChange ? 'catalogue!' : 'catalogue'])
  // A booking of the provider takes the same lock, so it sees the busy times either before or after the change.
  await tx.lock([resourceLock(providerResource(found.providerId))])
  const calendar = await findCalendar(tx.db, id)
  if (!calendar || calendar.revision !== revision) return nothing
  // The changed items are relative to a sync position, so they do not apply when another job has read the calendar in
  // the meantime.
  if (items && calendar.content?.cursor !== items.since) return nothing
  if (items) await saveItems(tx.db, id, items)
  const stored = await listBusyTimes(tx.db, id, window.start)
  const wanted = new Map<string, Interval>()
  for (let index = 0; index + 1 < times.length; index += 2) {
    const [start = 0, end = 0] = times.slice(index, index + 2)
    if (end > window.start) wanted.set(`${start}:${end}`, { start, end })
  }
  const gone = stored.filter(({ start, end }) => !wanted.delete(`${start}:${end}`))
  await deleteBusyTimes(
    tx.db,
    gone.map((time) => time.id),
  )
  await insertBusyTimes(tx.db, calendar, [...wanted.values()])
  const openings = { calendarId: id, providerId: calendar.providerId, openings: opened.openings }
  if (await saveOpenings(tx.db, openings)) await bumpCatalogue(tx)
  const { poll, maxAge } = limitsOf(catalogue)
  const isResumed = calendar.readAt <= lastTooOld(tx.now, maxAge) || calendar.coveredUntil !== window.end
  // If the due time has changed since the reading began, for example because a change was reported that the reading may
  // not contain, the new due time remains.
  const due = { dueAt, nextAt: tx.now + poll }
  const state = { content, coveredUntil: window.end, openingFaults: opened.faults, ...due, isResumed }
  await recordReading(tx.db, id, { now: tx.now, ...state })
  return { added: wanted.size, removed: gone.length }
}

/**
 * Records that calendars were read without a change. Availability is computed again only for a calendar whose previous
 * successful reading may be too old (see `lastTooOld`).
 */
export const confirmCalendars: Operation<{ readonly read: readonly ReadRevision[] }, Record<string, never>> = async (
  tx,
  { read },
) => {
  const { poll, maxAge } = limitsOf(await loadCatalogue(tx.db))
  await recordUnchanged(tx.db, read, { now: tx.now, nextAt: tx.now + poll, freshSince: lastTooOld(tx.now, maxAge) })
  return {}
}

// The maximum number of seconds by which another node's clock may be ahead of `tx.now` when the transaction becomes
// visible: `tx.now` is stamped before the transaction waits for locks and for the commit, and clocks of nodes differ.
const visibleWithin = 60

/**
 * Returns the latest time of a reading that a node may have found older than `maxAge` before a write with the time
 * `now` becomes visible. The node has then cached the provider's availability as blocked, until it is invalidated.
 */
function lastTooOld(now: number, maxAge: number): number {
  return now + visibleWithin - maxAge
}

/** The input of `recordCalendarFault`. */
export interface CalendarFailure {
  readonly id: string
  readonly revision: number
  readonly fault: CalendarFaultCode
  readonly detail: string
  /** Seconds after which the calendar's server accepts another request; 0 when the server did not say. */
  readonly retryAfter: number
}

/** Records that a connected calendar could not be read. The busy times of the last successful reading remain. */
export const recordCalendarFault: Operation<CalendarFailure, Record<string, never>> = async (
  tx,
  { id, revision, fault, detail, retryAfter },
) => {
  const calendar = await findCalendar(tx.db, id)
  if (!calendar || calendar.revision !== revision) return {}
  const { poll } = limitsOf(await loadCatalogue(tx.db))
  const failures = calendar.failures + 1
  const nextAt = tx.now + failureDelay(failures, poll, retryAfter)
  const state = { failures, fault, fault_detail: detail.slice(0, 200), tried_at: tx.now, next_at: nextAt }
  await recordFault(tx.db, calendar, state)
  return {}
}

/**
 * Queues jobs for the calendars that are due: jobs that read connected calendars, and jobs that compare destinations
 * (calendars to which reservations are written) with the reservations.
 */
export const planSyncs: Operation<Record<never, never>, Record<string, never>> = async (tx) => {
  await compareSoon(tx, await listDueDestinations(tx.db, tx.now))
  const hosts = await listDueHosts(tx.db, tx.now)
  await syncSoon(
    tx,
    hosts.map((host) => ({ host })),
  )
  return {}
}

/** Returns the site's polling interval of connected calendars and the maximum age of a reading, in seconds. */
export function limitsOf({ site: { policies } }: Pick<Catalogue, 'site'>): {
  readonly poll: number
  readonly maxAge: number
} {
  return { poll: policies.calendarPollMinutes * 60, maxAge: policies.calendarMaxAgeMinutes * 60 }
}

/**
 * Returns the numbers of all connected calendars, of those whose last reading failed, and of those without a successful
 * reading within the site's maximum age, and the age of the oldest reading.
 */
export async function currentCalendarFigures(db: Database, now: number): Promise<CalendarFigures> {
  const { maxAge } = limitsOf(await loadCatalogue(db))
  return calendarFigures(db, { now, maxAge })
}
