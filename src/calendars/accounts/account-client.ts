import type { IcsComponent } from '../ics/ics-reader.ts'
import type { OpeningRule } from '../openings/opening-rule.ts'

/** A calendar of an account on another calendar system, as `listCalendars` returns it. */
export interface RemoteCalendar {
  /** The id of the calendar within its account. */
  readonly ref: string
  readonly name: string
  /**
   * Whether the server reports that events can be written to the calendar; also true on a CalDAV server that does not
   * report the user's privileges.
   */
  readonly writable: boolean
  /** The e-mail address of the owner of a Microsoft 365 calendar, empty when unknown; absent for other systems. */
  readonly owner?: string
}

/**
 * One item of a calendar. On a CalDAV server, an item is an event, a series with its exceptions, or a task; on other
 * systems, it is one listed event, which may be a series or an instance of one.
 */
export interface CalendarItem {
  /** The id of the item within its calendar. */
  readonly key: string
  /**
   * The etag of the item's version on the server; for an instance of a Microsoft 365 series, a digest of its content.
   */
  readonly etag: string
  /** The events and time zones of the item as iCalendar components, without titles; a task has no event. */
  readonly components: readonly IcsComponent[]
}

/** The changes of a calendar since an earlier reading. */
export interface CalendarChanges {
  /** The sync position of the calendar after this reading, from which the next reading continues. */
  readonly cursor: string
  readonly changed: readonly CalendarItem[]
  /** The keys of stored items (see `ReadChanges.known`) that the calendar no longer lists. */
  readonly removed: readonly string[]
  /**
   * Whether all items of the calendar were compared with the stored ones; false when only the items that the server
   * reported as changed were compared.
   */
  readonly isComplete: boolean
}

/**
 * The maximum number of days after a reading of a calendar for which its events are expanded into occupied time. A
 * client that requests only the events of a limited interval must request them for at least this many days ahead.
 */
export const maxWindowDays = 770

/** The parameters of `readChanges`. */
export interface ReadChanges {
  /** The sync position of the calendar's last reading; undefined to compare all items. */
  readonly cursor: string | undefined
  /** Returns, by key, the etags that Daybook has stored for the items of the calendar. */
  readonly known: () => Promise<ReadonlyMap<string, string>>
  /** When true, only items in `known` are read, and other items are ignored; when absent, all items are read. */
  readonly onlyKnown?: true
  /**
   * The rule for events that open time for booking; absent if there is none. The component of a matching event gets
   * an additional content line (see `withoutTitle`).
   */
  readonly opening?: OpeningRule
}

/** The content of the calendar event of a reservation; times are Unix seconds. */
export interface EventDetails {
  readonly title: string
  readonly start: number
  readonly end: number
  readonly isTentative: boolean
  /** The URL of the event's online meeting; empty for none. */
  readonly meeting: string
  /** Whether the calendar system is to create an online meeting for the event. */
  readonly createsMeeting: boolean
}

/** The parameters of `writeEvent`. */
export interface EventToWrite {
  /** The key of the event; a server may create a new event under another key. */
  readonly key: string
  readonly uid: string
  /** The event as an iCalendar file, for systems that accept one. */
  readonly content: string
  /** The content of the event for systems that do not accept iCalendar files. */
  readonly details: EventDetails
  /** The etag of the version of the event that is replaced; empty to create the event. */
  readonly etag: string
}

/** The key that identifies an event on the server, and the etag of the event's version there. */
export interface EventPlace {
  readonly key: string
  readonly etag: string
}

/**
 * The result of `writeEvent`: the key and etag of the written event, the address of its online meeting, and the `UID`
 * that the calendar system gave it.
 */
export interface StoredEvent extends EventPlace {
  /** The `UID` of the event in calendar files of the calendar system, if it is not the one that was sent. */
  readonly assignedUid?: string
  /** The https URL of the event's online meeting as the calendar system returned it; absent when it returned none. */
  readonly meeting?: string
}

const meetingAddress = /^https:\/\/[^\s"<>\\^`{|}]{1,490}$/

/**
 * Returns an object with the member `meeting` of a `StoredEvent`; an empty object when the address is not an https URL
 * of at most 498 characters.
 */
export function createdMeeting(address: unknown): Pick<StoredEvent, 'meeting'> {
  return typeof address === 'string' && meetingAddress.test(address) ? { meeting: address } : {}
}

/** A request to a calendar system to send notifications when a calendar changes; the system registers it as a watch. */
export interface WatchRequest {
  /** The URL to which the calendar system sends notifications. */
  readonly url: string
  /** The id that Daybook gives the watch, a UUID. */
  readonly channel: string
  /** The secret that each notification of the watch contains, which proves its origin. */
  readonly secret: string
  /** Until when notifications are requested (Unix seconds); the server may end them earlier. */
  readonly expiresAt: number
}

/** The ids of a watch (a request for notifications of changes) at a calendar system. */
export interface RemoteWatch {
  /** The id that the calendar system returned for the watch; on Google, the id of the watched resource. */
  readonly remote: string
  readonly channel: string
}

/**
 * The requests that jobs send to an account on another calendar system. Every method throws a `CalendarFault` when the
 * server cannot be reached, refuses the request or sends an invalid response.
 */
export interface AccountClient {
  /**
   * Returns the end (Unix seconds) of the interval that `readChanges` lists. An event that begins at or after it is not
   * listed, so its absence does not mean that it was deleted. Absent for systems that list all events.
   */
  listedUntil?(): number
  /** Lists the calendars of the account that can contain events. */
  listCalendars(): Promise<readonly RemoteCalendar[]>
  /**
   * Reads the changes of a calendar since `reading.cursor`. When nothing has changed, returns undefined, or changes
   * without items.
   */
  readChanges(calendar: string, reading: ReadChanges): Promise<CalendarChanges | undefined>
  /** Returns the current version of one item; undefined when the calendar has no item with this key. */
  readItem(calendar: string, key: string): Promise<CalendarItem | undefined>
  /**
   * Creates or replaces an event. Returns `changed`, and writes nothing, when the event on the server does not have the
   * etag `event.etag` or does not exist, or when an event to be created exists already. Without this check, an event is
   * replaced that the server has under another key (CalDAV and Microsoft 365) or with a weak etag (CalDAV).
   */
  writeEvent(calendar: string, event: EventToWrite): Promise<StoredEvent | 'changed'>
  /**
   * Removes an event; an event that no longer exists counts as removed. Returns `changed`, and removes nothing, when
   * the etag on the server differs; an empty etag, or a weak etag of a CalDAV server, is not compared.
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
