import type { CalendarFaultCode } from '../calendar-fault.ts'

/** A connected calendar whose system was asked to report changes at once. */
export interface CalendarWatch {
  readonly calendarId: string
  /** The SHA-256 hash of the secret with which the system reports changes. */
  readonly secretHash: string
  /** Identifies the watch in requests to the calendar system. */
  readonly channel: string
  /** The name that the calendar system gave the watch; empty while it has none. */
  readonly remote: string
  /** Until when changes are reported; 0 for not at all. */
  readonly expiresAt: number
  /** When the system is asked again. */
  readonly nextAt: number
  /** Why the system refused; null when it did not. */
  readonly fault: CalendarFaultCode | null
}

/** Whether the system of a calendar reports changes: it does, it refused, or it was not asked. */
export type PushState = 'on' | 'refused' | 'off'

/** Returns whether changes are reported at an instant; `watch` is undefined for a calendar that was never watched. */
export function pushState(watch: Pick<CalendarWatch, 'expiresAt' | 'fault'> | undefined, now: number): PushState {
  if (watch && watch.expiresAt > now) return 'on'
  return watch?.fault ? 'refused' : 'off'
}

/** The path below which calendar systems report changes. */
export const changesPath = '/calendar-changes'
