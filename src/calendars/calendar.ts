import type { CalendarFaultCode } from './calendar-fault.ts'
import type { OpeningRule } from './openings/opening-rule.ts'
import type { OpeningFault } from './openings/opening-settings.ts'
import type { Transparency } from './recurrence/event.ts'

/** The kinds of calendars that can be connected: an address of a calendar file, or a calendar of an account. */
export type CalendarKind = 'ics' | 'caldav' | 'google' | 'microsoft'

/** Which events block time besides those that are simply busy. */
export interface Blocking {
  /** Events that are marked as free, or as working elsewhere. */
  readonly free: boolean
  readonly tentative: boolean
  readonly outOfOffice: boolean
}

/** The events that block unless something else is chosen: all but those marked as free. */
export const defaultBlocking: Blocking = { free: false, tentative: true, outOfOffice: true }

/** Whether an event of this transparency blocks time. */
export function blocksTime(blocking: Blocking, transparency: Transparency): boolean {
  if (transparency === 'free') return blocking.free
  if (transparency === 'tentative') return blocking.tentative
  return transparency === 'out_of_office' ? blocking.outOfOffice : true
}

/** What is secret of a connection; it is stored encrypted. */
export interface CalendarSecret {
  readonly url: string
}

/** The content that was last read. */
export interface ReadContent {
  /** What the busy times depend on besides the content: zone, window and settings. */
  readonly basis: string
  /** The digest of what decides the busy times. */
  readonly digest: string
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
  /** The position up to which a calendar of an account was read. */
  readonly cursor?: string | undefined
  /** The number of busy times. */
  readonly count: number
  /** The number of openings; none when absent. */
  readonly openings?: number | undefined
}

/** A calendar of another system that blocks the time of a provider. */
export interface ConnectedCalendar {
  readonly id: string
  readonly providerId: number
  readonly kind: CalendarKind
  readonly name: string
  /** The host of the address; the rest of the address is a secret. */
  readonly host: string
  /** The encrypted `CalendarSecret`; empty for a calendar of an account. */
  readonly sealed: string
  /** The account of the calendar, and what identifies the calendar there; null for a calendar with an address of its own. */
  readonly account: { readonly id: string; readonly remote: string } | null
  readonly blocking: Blocking
  /** Which events open time; null for none. */
  readonly opening: OpeningRule | null
  /** The events that were to open time, and could not. */
  readonly openingFaults: readonly OpeningFault[]
  readonly content: ReadContent | null
  readonly coveredUntil: number
  /** When the calendar was last read successfully; 0 for never. */
  readonly readAt: number
  readonly triedAt: number | null
  readonly nextAt: number
  /** Failures since the last success. */
  readonly failures: number
  readonly fault: CalendarFaultCode | null
  readonly faultDetail: string
  /** Incremented by each change of the settings. */
  readonly revision: number
  /** Incremented whenever availability may have changed without a change of busy times. */
  readonly turn: number
  readonly createdAt: number
}

/** Returns the calendar for the history, without the address. */
export function shownInHistory({ id, providerId, kind, name, host, blocking, opening }: ConnectedCalendar) {
  return { id, providerId, kind, name, host, blocking: { ...blocking }, ...(opening && { opening: { ...opening } }) }
}

/** The states of a connected calendar: read recently, read with failures since, too old to offer times, or not read yet. */
export type CalendarState = 'ok' | 'failing' | 'too_old' | 'new'

/** Returns the state of a calendar; `maxAge` is the limit of the site in seconds. */
export function stateOf(
  { readAt, fault }: Pick<ConnectedCalendar, 'readAt' | 'fault'>,
  { now, maxAge }: { readonly now: number; readonly maxAge: number },
): CalendarState {
  if (readAt === 0 && fault === null) return 'new'
  if (readAt + maxAge <= now) return 'too_old'
  return fault === null ? 'ok' : 'failing'
}

const longestDelay = 3_600

/**
 * Returns the seconds until a calendar is read again after a failure, so that servers that do not answer take no time
 * from others: twice as long after each failure, at most an hour, and never less than the interval of polling.
 */
export function failureDelay(failures: number, pollSeconds: number): number {
  return Math.max(pollSeconds, Math.min(longestDelay, pollSeconds * 2 ** Math.min(failures - 1, 10)))
}

/** Reservations are written with this form of `UID` in calendar files and calendars; the part before `@` is their id. */
const ownUid = /^(r_[0-9A-Za-z]{32})@/

/** Returns the id of the reservation that an event is about, if its `UID` has the form of our own. */
export function reservationOfUid(uid: string): string | undefined {
  return ownUid.exec(uid)?.[1]
}

/** The number of groups of calendars that are read independently, so that a slow server delays only its own group. */
export const syncLanes = 8

/** Returns the group of a calendar: all calendars of one host are in one. */
export function laneOf(host: string): number {
  let sum = 0
  for (let index = 0; index < host.length; index += 1) sum = (sum * 31 + host.charCodeAt(index)) % 65_521
  return sum % syncLanes
}

/** Returns the `place` argument of `encrypt` for the secret of a calendar, which binds the ciphertext to the calendar. */
export function calendarPlace(id: string): string {
  return `calendar:${id}`
}
