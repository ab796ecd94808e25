import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import type { Operation, Tx } from '../../db/perform/app.ts'
import { failureDelay } from '../calendar.ts'
import type { CalendarFaultCode } from '../calendar-fault.ts'
import { limitsOf } from '../sync/sync.operations.ts'
import { type CalendarDestination, type CalendarEvent, type EventKey, maxRestored } from './destination.ts'
import { compareSoon, queueEvents } from './destinations.operations.ts'
import { findDestination, updateDestination } from './destinations.sql.ts'
import { deleteEvent, findEvent, saveEvent } from './events.sql.ts'

/**
 * The calendar event of a reservation that is about to be written: its calendar, its key there (`item`) and its `UID`.
 */
export type IntendedEvent = EventKey & Pick<CalendarEvent, 'accountId' | 'item' | 'uid'>

/**
 * Records that the calendar event of a reservation is about to be written. If the process ends before the result is
 * recorded, the event can still be found and removed.
 */
export const intendEvent: Operation<IntendedEvent, Record<string, never>> = async (tx, intended) => {
  if (await findEvent(tx.db, intended)) return {}
  const unwritten = { assignedUid: '', etag: '', written: '', start: 0, end: 0, meetingAskedAt: 0, restored: 0 }
  await saveEvent(tx.db, { ...intended, ...unwritten, fault: null, faultDetail: '' })
  return {}
}

/** The calendar event of a reservation in the state in which it was written or found on the server. */
export type WrittenEvent = EventKey &
  Pick<CalendarEvent, 'item' | 'etag' | 'written' | 'start' | 'end'> &
  Partial<Pick<CalendarEvent, 'assignedUid' | 'meetingAskedAt'>>

/**
 * Records that the calendar server has a reservation's event in the given version, and clears the fault stored with the
 * event. Does nothing for an event without a record.
 */
export const recordEvent: Operation<WrittenEvent, Record<string, never>> = async (tx, written) => {
  const before = await lockEvent(tx, written)
  if (!before) return {}
  const isMoved = before.start !== written.start || before.end !== written.end
  const restored = isMoved ? 0 : before.restored
  await saveEvent(tx.db, { ...before, ...written, restored, fault: null, faultDetail: '' })
  return {}
}

/** The input of `recordEventFault`. */
export interface EventFailure extends EventKey {
  readonly fault: CalendarFaultCode | 'no_meeting'
  readonly detail: string
}

/**
 * Records why the event of a reservation could not be written or removed, or that its online meeting was not created.
 */
export const recordEventFault: Operation<EventFailure, Record<string, never>> = async (
  tx,
  { fault, detail, ...key },
) => {
  const before = await lockEvent(tx, key)
  const givenUp = fault === 'no_meeting' && { meetingAskedAt: 0 }
  if (before) await saveEvent(tx.db, { ...before, ...givenUp, fault, faultDetail: detail.slice(0, 200) })
  return {}
}

/** Deletes the record of a reservation's event after the event was removed from its calendar. */
export const forgetEvent: Operation<EventKey, Record<string, never>> = async (tx, key) => {
  await deleteEvent(tx.db, key)
  return {}
}

/**
 * Queues a job that writes a reservation's event again; the job replaces the version with the given `etag`, or creates
 * the event when `etag` is empty. An event that was restored `maxRestored` times gets the fault `contested` instead, so
 * that two programs do not overwrite each other forever.
 */
export const restoreEvent: Operation<EventKey & { readonly etag: string }, { readonly restored: boolean }> = async (
  tx,
  { etag, ...key },
) => {
  const before = await lockEvent(tx, key)
  if (!before) return { restored: false }
  if (before.restored >= maxRestored) {
    if (before.fault !== 'contested') await saveEvent(tx.db, { ...before, etag, fault: 'contested', faultDetail: '' })
    return { restored: false }
  }
  await saveEvent(tx.db, { ...before, etag, written: '', restored: before.restored + 1 })
  await queueEvents(tx, [key.reservationId])
  return { restored: true }
}

/** Queues the writing of the calendar events of a reservation. */
export const queueEvent: Operation<{ readonly reservationId: string }, Record<string, never>> = async (
  tx,
  { reservationId },
) => {
  await queueEvents(tx, [reservationId])
  return {}
}

/**
 * Queues the comparison of a provider's destination (the calendar to which reservations are written) with the
 * reservations.
 */
export const makeDestinationDue: Operation<{ readonly providerId: number }, Record<string, never>> = async (
  tx,
  { providerId },
) => {
  await compareSoon(tx, [providerId])
  return {}
}

/** The input of `recordComparison`: the result of comparing a destination with the reservations. */
export interface ComparedDestination extends Pick<CalendarDestination, 'providerId' | 'accountId' | 'calendar'> {
  /** The sync position of the calendar after the comparison; absent when nothing has changed. */
  readonly cursor?: string
  readonly isComplete?: boolean
}

/** Records that a destination was compared with the reservations. */
export const recordComparison: Operation<ComparedDestination, Record<string, never>> = async (
  tx,
  { cursor, isComplete = false, ...destination },
) => {
  const { poll } = limitsOf(await loadCatalogue(tx.db))
  await updateDestination(tx.db, destination, {
    ...{ read_at: tx.now, next_at: tx.now + poll, failures: 0, fault: null, fault_detail: '' },
    ...(cursor !== undefined && { cursor_text: cursor }),
    ...(isComplete && { listed_at: tx.now }),
  })
  return {}
}

/** The input of `recordDestinationFault`. */
export interface DestinationFailure extends Pick<CalendarDestination, 'providerId' | 'accountId' | 'calendar'> {
  readonly fault: CalendarFaultCode
  readonly detail: string
  /**
   * Seconds after which the calendar's server accepts another request, at most a day; 0 when the server did not say.
   */
  readonly retryAfter: number
}

/** Records that a destination could not be compared with the reservations. */
export const recordDestinationFault: Operation<DestinationFailure, Record<string, never>> = async (
  tx,
  { fault, detail, retryAfter, ...destination },
) => {
  const before = await findDestination(tx.db, destination.providerId)
  if (!before) return {}
  const { poll } = limitsOf(await loadCatalogue(tx.db))
  const failures = before.failures + 1
  await updateDestination(tx.db, destination, {
    ...{ fault, fault_detail: detail.slice(0, 200), failures },
    next_at: tx.now + failureDelay(failures, poll, retryAfter),
  })
  return {}
}

/** Takes the lock of a reservation's calendar events and loads one of them; undefined when it was deleted. */
async function lockEvent(tx: Tx, key: EventKey): Promise<CalendarEvent | undefined> {
  await tx.lock([`calendar-event:${key.reservationId}`])
  return findEvent(tx.db, key)
}
