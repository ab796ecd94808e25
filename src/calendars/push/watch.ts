import type { CalendarFaultCode } from '../calendar-fault.ts'

/** A watch: the request to the system of a connected calendar to send notifications of changes. */
export interface CalendarWatch {
  readonly calendarId: string
  /** The SHA-256 hash of the secret that notifications contain. */
  readonly secretHash: string
  /** The id that this service chose for the watch, a UUID. */
  readonly channel: string
  /** The id that the calendar system returned for the watch (see `RemoteWatch`); empty while there is none. */
  readonly remote: string
  /** Until when the calendar system sends notifications (Unix seconds); 0 when it does not. */
  readonly expiresAt: number
  /** From when a reading of the calendar requests notifications again (Unix seconds). */
  readonly nextAt: number
  /** Why the last request for notifications failed; null when it succeeded. */
  readonly fault: CalendarFaultCode | null
}

/**
 * Whether the system of a calendar sends notifications of changes: `on`; `refused` when it does not because the last
 * request for them failed; otherwise `off`.
 */
export type PushState = 'on' | 'refused' | 'off'

/**
 * Returns whether notifications of a calendar's changes are sent at `now`; `watch` is undefined for a calendar that was
 * never watched.
 */
export function pushState(watch: Pick<CalendarWatch, 'expiresAt' | 'fault'> | undefined, now: number): PushState {
  if (watch && watch.expiresAt > now) return 'on'
  return watch?.fault ? 'refused' : 'off'
}

/** The path below which notifications of calendar changes are received. */
export const changesPath = '/calendar-changes'
