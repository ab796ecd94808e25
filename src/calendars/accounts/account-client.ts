import type { IcsComponent } from '../ics/ics-reader.ts'
import type { OpeningRule } from '../openings/opening-rule.ts'

/** A calendar that an account has. */
export interface RemoteCalendar {
  /** Identifies the calendar within the account. */
  readonly ref: string
  readonly name: string
  /** Whether events can be written to the calendar, as far as the server tells. */
  readonly writable: boolean
  /** The address of the calendar's owner, where `ref` is not one. */
  readonly owner?: string
}

/** One item of a calendar: an event, or a series with its exceptions. */
export interface CalendarItem {
  /** Identifies the item within its calendar. */
  readonly key: string
  /** The version of the item on the server. */
  readonly etag: string
  /** What decides when the item takes place, as iCalendar components without titles; empty for a task. */
  readonly components: readonly IcsComponent[]
}

/** What has changed in a calendar. */
export interface CalendarChanges {
  /** The position up to which the calendar was read, from which the next reading continues. */
  readonly cursor: string
  readonly changed: readonly CalendarItem[]
  /** The keys of known items that no longer exist. */
  readonly removed: readonly string[]
  /** Whether all items were compared, rather than those that the server reported as changed. */
  readonly isComplete: boolean
}

/** How the changes of a calendar are read. */
export interface ReadChanges {
  /** The position of the last reading; undefined to compare all items. */
  readonly cursor: string | undefined
  /** Returns the versions of the items that are known, by key. */
  readonly known: () => Promise<ReadonlyMap<string, string>>
  /** Whether only known items are read; others are left out. */
  readonly onlyKnown?: true
  /** Which events open time: their components say so (see `withoutTitle`). */
  readonly opening?: OpeningRule
}

/** What an event of a reservation shows. */
export interface EventDetails {
  readonly title: string
  readonly start: number
  readonly end: number
  readonly isTentative: boolean
  /** The address of an online appointment; empty for none. */
  readonly meeting: string
  /** Whether the system is to create a meeting for the event. */
  readonly createsMeeting: boolean
}

/** An event to write. */
export interface EventToWrite {
  /** The key of the event when it is new; a server may choose another. */
  readonly key: string
  readonly uid: string
  /** The iCalendar file. */
  readonly content: string
  /** The same for systems that do not take iCalendar files. */
  readonly details: EventDetails
  /** The version that is replaced; empty to create the event. */
  readonly etag: string
}

/** Where an event is stored on the server, and in which version. */
export interface EventPlace {
  readonly key: string
  readonly etag: string
}

/** An event that was written. */
export interface StoredEvent extends EventPlace {
  /** The address of the meeting that the system created; absent without one, or while it is being created. */
  readonly meeting?: string
}

const meetingAddress = /^https:\/\/[^\s"<>\\^`{|}]{1,490}$/

/** Returns the address of a meeting as a part of a stored event; nothing for what is no https address. */
export function createdMeeting(address: unknown): Pick<StoredEvent, 'meeting'> {
  return typeof address === 'string' && meetingAddress.test(address) ? { meeting: address } : {}
}

/** How a calendar system is asked to report changes. */
export interface WatchRequest {
  /** The address to which changes are reported. */
  readonly url: string
  /** Names the watch; a UUID. */
  readonly channel: string
  /** Comes with each report. */
  readonly secret: string
  /** Until when changes are to be reported; a server may end earlier. */
  readonly expiresAt: number
}

/** What identifies a watch in a calendar system. */
export interface RemoteWatch {
  /** The name that the server gave the watch. */
  readonly remote: string
  readonly channel: string
}

/**
 * An account with another calendar system, as jobs use it. Everything throws a `CalendarFault` when the server cannot be
 * reached, refuses, or answers with something else.
 */
export interface AccountClient {
  /** Lists the calendars of the account that can contain events. */
  listCalendars(): Promise<readonly RemoteCalendar[]>
  /** Reads what has changed in a calendar; undefined when nothing has. */
  readChanges(calendar: string, reading: ReadChanges): Promise<CalendarChanges | undefined>
  /** Returns the current version of one item; undefined when there is none with this key. */
  readItem(calendar: string, key: string): Promise<CalendarItem | undefined>
  /** Creates or replaces an event; `changed` when the server has another version than the one to replace. */
  writeEvent(calendar: string, event: EventToWrite): Promise<StoredEvent | 'changed'>
  /** Removes an event, also one that is gone already; `changed` when the server has another version. */
  removeEvent(calendar: string, place: EventPlace & Pick<EventToWrite, 'uid'>): Promise<'removed' | 'changed'>
  /** Asks the server to report changes of a calendar; absent for systems that cannot. */
  watch?(
    calendar: string,
    request: WatchRequest,
  ): Promise<Pick<RemoteWatch, 'remote'> & Pick<WatchRequest, 'expiresAt'>>
  /** Ends a watch, also one that has ended already. */
  unwatch?(watch: RemoteWatch): Promise<void>
}
