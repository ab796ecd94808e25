import type { IcsComponent } from '../ics/ics-reader.ts'
import type { OpeningRule } from '../openings/opening-rule.ts'

/** A calendar of an account on another calendar system. */
export interface RemoteCalendar {
  /** The id of the calendar within its account. */
  readonly ref: string
  readonly name: string
  /** Whether events can be written to the calendar, as far as the server tells. */
  readonly writable: boolean
  /** The address of the calendar's owner; absent when `ref` is that address. */
  readonly owner?: string
}

/** One item of a calendar: an event, or a series with its exceptions. */
export interface CalendarItem {
  /** The id of the item within its calendar. */
  readonly key: string
  /** The version of the item on the server, as an etag. */
  readonly etag: string
  /** The iCalendar components that determine when the item takes place, without titles; empty for a task. */
  readonly components: readonly IcsComponent[]
}

/** The changes of a calendar since an earlier reading. */
export interface CalendarChanges {
  /** The sync position after this reading, from which the next reading continues. */
  readonly cursor: string
  readonly changed: readonly CalendarItem[]
  /** The keys of known items that no longer exist. */
  readonly removed: readonly string[]
  /** Whether all items were compared, rather than those that the server reported as changed. */
  readonly isComplete: boolean
}

/** The parameters of `readChanges`. */
export interface ReadChanges {
  /** The sync position of the last reading; undefined to compare all items. */
  readonly cursor: string | undefined
  /** Returns the etags of the known items, by key. */
  readonly known: () => Promise<ReadonlyMap<string, string>>
  /** When present, only known items are read; others are ignored. */
  readonly onlyKnown?: true
  /** The rule for events that open time. A matching event contains an additional content line (see `withoutTitle`). */
  readonly opening?: OpeningRule
}

/** The content of the event of a reservation. */
export interface EventDetails {
  readonly title: string
  readonly start: number
  readonly end: number
  readonly isTentative: boolean
  /** The address of an online appointment; empty for none. */
  readonly meeting: string
  /** Whether the calendar system should create a meeting for the event. */
  readonly createsMeeting: boolean
}

/** An event to write. */
export interface EventToWrite {
  /** The key under which a new event is created; a server may choose another. */
  readonly key: string
  readonly uid: string
  /** The event as an iCalendar file, for systems that accept one. */
  readonly content: string
  /** The same content for systems that do not accept iCalendar files. */
  readonly details: EventDetails
  /** The etag of the version to replace; empty to create the event. */
  readonly etag: string
}

/** The key of an event on the server, and the etag of its version. */
export interface EventPlace {
  readonly key: string
  readonly etag: string
}

/** An event that was written. */
export interface StoredEvent extends EventPlace {
  /** The address of the meeting that the calendar system created; absent when there is none yet. */
  readonly meeting?: string
}

const meetingAddress = /^https:\/\/[^\s"<>\\^`{|}]{1,490}$/

/** Returns the field `meeting` of a stored event; an empty object when the address is not an https address. */
export function createdMeeting(address: unknown): Pick<StoredEvent, 'meeting'> {
  return typeof address === 'string' && meetingAddress.test(address) ? { meeting: address } : {}
}

/** A request to a calendar system to push notifications of changes. */
export interface WatchRequest {
  /** The address to which notifications are sent. */
  readonly url: string
  /** The id of the watch, a UUID. */
  readonly channel: string
  /** The secret that each notification contains. */
  readonly secret: string
  /** Until when notifications are requested (Unix seconds); the server may end them earlier. */
  readonly expiresAt: number
}

/** The ids of a watch at a calendar system. */
export interface RemoteWatch {
  /** The id that the server gave the watch. */
  readonly remote: string
  readonly channel: string
}

/**
 * An account on another calendar system, as the jobs use it. Every method throws a `CalendarFault` when the server cannot
 * be reached, refuses the request or sends an invalid response.
 */
export interface AccountClient {
  /** Lists the calendars of the account that can contain events. */
  listCalendars(): Promise<readonly RemoteCalendar[]>
  /** Reads the changes of a calendar; undefined when nothing has changed. */
  readChanges(calendar: string, reading: ReadChanges): Promise<CalendarChanges | undefined>
  /** Returns the current version of one item; undefined when there is none with this key. */
  readItem(calendar: string, key: string): Promise<CalendarItem | undefined>
  /** Creates or replaces an event. Returns `changed`, and writes nothing, when the etag on the server differs. */
  writeEvent(calendar: string, event: EventToWrite): Promise<StoredEvent | 'changed'>
  /**
   * Removes an event; an event that no longer exists counts as removed. Returns `changed`, and removes nothing, when the
   * etag on the server differs.
   */
  removeEvent(calendar: string, place: EventPlace & Pick<EventToWrite, 'uid'>): Promise<'removed' | 'changed'>
  /** Requests notifications of changes of a calendar; absent for systems without notifications. */
  watch?(
    calendar: string,
    request: WatchRequest,
  ): Promise<Pick<RemoteWatch, 'remote'> & Pick<WatchRequest, 'expiresAt'>>
  /** Ends a watch; does nothing when it has already ended. */
  unwatch?(watch: RemoteWatch): Promise<void>
}
