import { parseDate } from '../../scheduling/time/date.ts'
import { wallTime } from '../../scheduling/time/zone.ts'
import type { EventDetails } from '../accounts/account-client.ts'
import { CalendarFault } from '../calendar-fault.ts'
import type { IcsComponent } from '../ics/ics-reader.ts'
import { escaped } from '../ics/ics-text.ts'
import { type OpeningRule, withoutTitle } from '../openings/opening-rule.ts'

/**
 * The fields of a Microsoft 365 event that this service uses. Times are in UTC, as every request for events specifies.
 */
export interface MicrosoftEvent {
  readonly id: string
  readonly '@odata.etag'?: string
  readonly '@removed'?: { readonly reason?: string }
  readonly type?: string
  readonly seriesMasterId?: string | null
  readonly start?: { readonly dateTime: string }
  readonly end?: { readonly dateTime: string }
  readonly isAllDay?: boolean
  readonly isCancelled?: boolean
  readonly showAs?: string
  readonly subject?: string
  readonly categories?: readonly string[]
  /** The owner's answer to the invitation; `none` or `organizer` for an event that the owner created. */
  readonly responseStatus?: { readonly response?: string } | null
  readonly transactionId?: string | null
  /** The `UID` of the event in calendar files. */
  readonly iCalUId?: string | null
  readonly onlineMeeting?: { readonly joinUrl?: string } | null
}

/** The id of the extended property that contains the `UID` with which this service wrote an event. */
export const uidPropertyId = 'String {7c2f0a3e-3f8d-4b52-9d0e-5d1c3f6b9a41} Name daybookUid'

/**
 * Returns a Microsoft 365 event as an iCalendar component without its title (see `withoutTitle`). The rule `opening`
 * applies only to events that the owner of the calendar created or accepted, not to invitations that await an answer.
 * Instances of a series may omit the fields that they share with the series; these are taken from `master`. Throws a
 * `CalendarFault` for an event without a valid start and end.
 */
export function componentOf(
  event: MicrosoftEvent,
  master: MicrosoftEvent | undefined,
  opening: OpeningRule | undefined,
): IcsComponent {
  const { id, start, end, isAllDay = master?.isAllDay ?? false, isCancelled = false } = event
  const { showAs = master?.showAs ?? '', subject = master?.subject ?? '' } = event
  const { transactionId = null, categories = master?.categories ?? [] } = event
  const { responseStatus = master?.responseStatus } = event
  if (!start || !end) throw new CalendarFault('malformed')
  const lines = [
    `UID:${oneLine(transactionId ?? id)}`,
    `DTSTART${timeValue(start.dateTime, isAllDay)}`,
    `DTEND${timeValue(end.dateTime, isAllDay)}`,
    ...(isCancelled ? ['STATUS:CANCELLED'] : (shownAs.get(showAs) ?? [])),
  ]
  if (!opening || !accepted.has(responseStatus?.response ?? 'none')) return { kind: 'VEVENT', lines }
  const titles = [`SUMMARY:${escaped(subject)}`, `CATEGORIES:${categories.map(escaped).join(',')}`]
  return { kind: 'VEVENT', lines: withoutTitle([...lines, ...titles], opening) }
}

/** Returns the fields that are sent both when a Microsoft 365 event is created and when it is changed. */
export function eventBody({ title, start, end, isTentative, meeting, createsMeeting }: EventDetails) {
  return {
    subject: title,
    start: { dateTime: timeStamp(start), timeZone: 'UTC' },
    end: { dateTime: timeStamp(end), timeZone: 'UTC' },
    isAllDay: false,
    showAs: isTentative ? 'tentative' : 'busy',
    // Microsoft 365 sets the location itself when it creates the online meeting, so no location is sent in that case.
    ...(createsMeeting ? { isOnlineMeeting: true } : { location: { displayName: meeting } }),
  }
}

/** The values of `MicrosoftEvent.responseStatus` with which an event may open time for booking. */
const accepted: ReadonlySet<string> = new Set(['none', 'organizer', 'accepted'])

const shownAs: ReadonlyMap<string, readonly string[]> = new Map([
  ['free', ['TRANSP:TRANSPARENT']],
  ['workingElsewhere', ['TRANSP:TRANSPARENT']],
  ['tentative', ['STATUS:TENTATIVE']],
  ['oof', ['X-MICROSOFT-CDO-BUSYSTATUS:OOF']],
])

/** Returns a time property of iCalendar without its name: `;VALUE=DATE:` and a date, or `:` and an instant in UTC. */
function timeValue(dateTime: string, isAllDay: boolean): string {
  const [, date = '', time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z?$/.exec(dateTime) ?? []
  if (parseDate(date) === undefined || time === undefined) throw new CalendarFault('malformed')
  const day = date.replaceAll('-', '')
  return isAllDay ? `;VALUE=DATE:${day}` : `:${day}T${time.replaceAll(':', '')}Z`
}

/** Formats an instant (Unix seconds) in UTC without a zone, as `2026-10-06T08:00:00`. */
function timeStamp(seconds: number): string {
  const wall = wallTime('UTC', seconds)
  return wall.length === 16 ? `${wall}:00` : wall
}

/** Removes control characters, which could begin another iCalendar content line. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}/gu, '')
}
