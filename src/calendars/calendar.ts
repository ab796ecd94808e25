import type { CalendarFaultCode } from './calendar-fault.ts'
import type { OpeningRule } from './openings/opening-rule.ts'
import type { OpeningFault } from './openings/opening-settings.ts'
import type { Transparency } from './recurrence/event.ts'

/** The kinds of calendars that can be connected: `ics` for a calendar file, the others for a calendar of an account. */
export type CalendarKind = 'ics' | 'caldav' | 'google' | 'microsoft'

/** Which events of a connected calendar block time in addition to those that are marked as busy. */
export interface Blocking {
  /** Whether events block time if they are marked as free or working elsewhere, or were declined in Google Calendar. */
  readonly free: boolean
  readonly tentative: boolean
  readonly outOfOffice: boolean
}

/**
 * The default of `Blocking`: tentative and out-of-office events block time; events that are marked as free or working
 * elsewhere, or were declined in Google Calendar, do not.
 */
export const defaultBlocking: Blocking = { free: false, tentative: true, outOfOffice: true }

/**
 * Whether an event with the given transparency (how its calendar shows the time, such as free or tentative) blocks
 * time.
 */
export function blocksTime(blocking: Blocking, transparency: Transparency): boolean {
  if (transparency === 'free') return blocking.free
  if (transparency === 'tentative') return blocking.tentative
  return transparency === 'out_of_office' ? blocking.outOfOffice : true
}

/** The address of a calendar that does not belong to an account, which is stored encrypted. */
export interface CalendarSecret {
  readonly url: string
}

/** What was stored about the content of a connected calendar at the last successful reading. */
export interface ReadContent {
  /**
   * The values besides the calendar's content on which the busy times and openings (times that events open for booking)
   * depend, as JSON: the version of the expansion, the provider's time zone, the end of the interval in which events are
   * expanded, `blocking`, and, with an `OpeningRule`, the rule and the currency. When they change, the events of the
   * calendar are expanded again.
   */
  readonly basis: string
  /** The digest of the calendar's content as far as it determines the busy times and the openings. */
  readonly digest: string
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
  /** The sync position up to which a calendar of an account was read; absent for a calendar file. */
  readonly cursor?: string | undefined
  /** The number of busy times of the calendar in the interval in which its events are expanded. */
  readonly count: number
  /**
   * The number of openings, the bookable intervals that events of the calendar open; absent without a rule for them.
   */
  readonly openings?: number | undefined
}

/** A calendar of another system that blocks the time of a provider. */
export interface ConnectedCalendar {
  readonly id: string
  readonly providerId: number
  readonly kind: CalendarKind
  readonly name: string
  /** The host, with any port, in the address of the calendar or its account; the rest of the address is a secret. */
  readonly host: string
  /** The encrypted `CalendarSecret`; empty for a calendar of an account. */
  readonly sealed: string
  /** The account of the calendar and the id of the calendar within it; null for a calendar with its own address. */
  readonly account: { readonly id: string; readonly remote: string } | null
  readonly blocking: Blocking
  /** The rule for events that open time for booking; null for none. */
  readonly opening: OpeningRule | null
  /** Up to 20 events that match `opening` but cannot open time for booking, such as all-day events. */
  readonly openingFaults: readonly OpeningFault[]
  readonly content: ReadContent | null
  readonly coveredUntil: number
  /** When the calendar was last read successfully (Unix seconds); 0 for never. */
  readonly readAt: number
  readonly triedAt: number | null
  readonly nextAt: number
  /**
   * The number of failed readings of the calendar since the last successful one. A change of its address, of
   * `blocking`, of `opening` or of the credentials of its account resets the number to 0.
   */
  readonly failures: number
  readonly fault: CalendarFaultCode | null
  readonly faultDetail: string
  /**
   * The number of changes of the calendar's own address, of `blocking` and of `opening`. A job compares it to detect a
   * change that was made while the job ran.
   */
  readonly revision: number
  /**
   * A counter whose increment invalidates the cached availability of the provider. It is incremented when availability
   * may have changed although the busy times have not, such as when a calendar whose last reading was too old is read
   * again.
   */
  readonly turn: number
  readonly createdAt: number
}

/** Returns a connected calendar as the history records it, with only the host of its address. */
export function shownInHistory({ id, providerId, kind, name, host, blocking, opening }: ConnectedCalendar) {
  return { id, providerId, kind, name, host, blocking: { ...blocking }, ...(opening && { opening: { ...opening } }) }
}

/**
 * The state of a connected calendar: `new` until its first reading ends; `too_old` if its last successful reading is so
 * old that the provider cannot be booked, or every reading has failed; otherwise `ok` or `failing`, by its last
 * reading.
 */
export type CalendarState = 'ok' | 'failing' | 'too_old' | 'new'

/** Returns the state of a connected calendar; `maxAge` is the site's maximum age of a reading, in seconds. */
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
 * Returns the seconds until a calendar is read again after a failure (exponential backoff): doubled with each failure,
 * at most an hour, but never less than the polling interval, nor than the `retryAfter` seconds for which the server
 * asks. The calendars of a lane (a group of hosts, see `laneOf`) share the jobs that read them, so the backoff makes an
 * unreachable server delay the other calendars of its lane less often.
 */
export function failureDelay(failures: number, pollSeconds: number, retryAfter: number): number {
  return Math.max(retryAfter, pollSeconds, Math.min(longestDelay, pollSeconds * 2 ** Math.min(failures - 1, 10)))
}

/**
 * The form of the `UID` that calendar files and calendar events of reservations have; the part before `@` is the
 * reservation's id.
 */
const ownUid = /^(r_[0-9A-Za-z]{32})@/

/** Returns the id of the reservation in the `UID` of an event; undefined when this service did not assign the `UID`. */
export function reservationOfUid(uid: string): string | undefined {
  return ownUid.exec(uid)?.[1]
}

/**
 * The number of lanes into which calendars are divided by host. The lanes are read independently of each other, so that
 * a slow server delays only the calendars of its own lane.
 */
export const syncLanes = 8

/**
 * Returns the number of the lane (a group of calendars that are read together) of a host; all calendars of one host are
 * in the same lane.
 */
export function laneOf(host: string): number {
  let sum = 0
  for (let index = 0; index < host.length; index += 1) sum = (sum * 31 + host.charCodeAt(index)) % 65_521
  return sum % syncLanes
}

/**
 * Returns the argument `place` of `encrypt` for the secret of a calendar, which binds the ciphertext to the calendar.
 */
export function calendarPlace(id: string): string {
  return `calendar:${id}`
}
