import { parseDate } from '../../scheduling/time/date.ts'
import { isZone, wallTime } from '../../scheduling/time/zone.ts'
import type { EventDetails } from '../accounts/account-client.ts'
import { CalendarFault } from '../calendar-fault.ts'
import type { IcsComponent } from '../ics/ics-reader.ts'
import { escaped, instant } from '../ics/ics-text.ts'
import { type OpeningRule, withoutTitle } from '../openings/opening-rule.ts'

/**
 * A time of a Google Calendar event: a date for an all-day event, otherwise an instant, with the zone in which a series
 * repeats.
 */
export interface GoogleTime {
  readonly date?: string
  readonly dateTime?: string
  readonly timeZone?: string
}

/**
 * The fields of a Google Calendar event that this service uses. Some are requested only when they are needed: the title
 * (`summary`) with an `OpeningRule`, `hangoutLink` when an event with a new online meeting is written.
 */
export interface GoogleEvent {
  readonly id: string
  readonly etag?: string
  readonly iCalUID?: string
  readonly status?: string
  readonly summary?: string
  readonly start?: GoogleTime
  readonly end?: GoogleTime
  readonly recurrence?: readonly string[]
  readonly recurringEventId?: string
  readonly originalStartTime?: GoogleTime
  readonly transparency?: string
  readonly eventType?: string
  readonly sequence?: number
  /** The URL of the event's online meeting; absent when there is none or it was not requested. */
  readonly hangoutLink?: string
  /** The organizer; `self` is true when the event is in the organizer's own calendar. */
  readonly organizer?: { readonly self?: boolean }
  readonly attendees?: readonly { readonly self?: boolean; readonly responseStatus?: string }[]
  readonly extendedProperties?: { readonly private?: Readonly<Record<string, string>> }
}

/** The private extended property that contains the `UID` with which this service wrote an event. */
const uidProperty = 'daybookUid'

/**
 * Returns the value of the query parameter `fields`, which lists the fields of an event to request. The title is
 * included only with an `OpeningRule`.
 */
export function eventFields(opening: OpeningRule | undefined): string {
  const title = opening ? ',summary' : ''
  return `id,etag,iCalUID,status,start,end,recurrence,recurringEventId,originalStartTime,transparency,eventType,sequence,organizer(self),attendees(self,responseStatus),extendedProperties/private${title}`
}

/**
 * Whether a listed Google event no longer exists. A cancelled instance of a series does exist, as an exception of the
 * series.
 */
export function isGone({ status, recurringEventId }: GoogleEvent): boolean {
  return status === 'cancelled' && recurringEventId === undefined
}

/**
 * Returns a Google event as an iCalendar component without its title (see `withoutTitle`). The rule `opening` applies
 * only to events that the owner of the calendar created or accepted, not to invitations that await an answer. A changed
 * or cancelled instance is a component of its own with the `UID` of its series. Throws a `CalendarFault` for an event
 * with a missing or invalid time, or with an unknown time zone.
 */
export function componentOf(event: GoogleEvent, opening: OpeningRule | undefined): IcsComponent {
  const { status, start = event.originalStartTime, end, originalStartTime, recurrence = [], summary = '' } = event
  if (!start) throw new CalendarFault('malformed')
  // Only a series needs its zone, because it repeats at a wall time; other times are instants.
  const zone = recurrence.length > 0 ? start.timeZone : undefined
  const lines = [
    `UID:${oneLine(uidOf(event))}`,
    `SEQUENCE:${Number(event.sequence ?? 0)}`,
    `DTSTART${timeValue(start, zone)}`,
    ...(end ? [`DTEND${timeValue(end, zone)}`] : []),
    ...(originalStartTime ? [`RECURRENCE-ID${timeValue(originalStartTime, undefined)}`] : []),
    ...recurrence.map(oneLine).filter((line) => /^(?:RRULE|RDATE|EXDATE)[;:]/i.test(line)),
    ...(status === 'cancelled' ? ['STATUS:CANCELLED'] : shownAs(event)),
  ]
  if (!opening || !isAccepted(event)) return { kind: 'VEVENT', lines }
  return { kind: 'VEVENT', lines: withoutTitle([...lines, `SUMMARY:${escaped(summary)}`], opening) }
}

/** Returns the request body that replaces a Google event or, with the field `id` added, creates one. */
export function eventBody({ title, start, end, isTentative, meeting, createsMeeting }: EventDetails, uid: string) {
  return {
    status: isTentative ? 'tentative' : 'confirmed',
    summary: title,
    start: { dateTime: timeStamp(start) },
    end: { dateTime: timeStamp(end) },
    transparency: 'opaque',
    ...(meeting !== '' && { location: meeting }),
    // Google creates one online meeting per request id. A repeated request with the same id creates no second meeting.
    ...(createsMeeting && {
      conferenceData: {
        createRequest: { requestId: `${uid} ${start}`, conferenceSolutionKey: { type: 'hangoutsMeet' } },
      },
    }),
    extendedProperties: { private: { [uidProperty]: uid } },
  }
}

function uidOf({ id, iCalUID = id, extendedProperties }: GoogleEvent): string {
  return extendedProperties?.private?.[uidProperty] ?? iCalUID
}

/**
 * Whether the owner of the calendar created the event, or accepted the invitation to it. An owner who was invited as
 * the member of a group is not an attendee before answering.
 */
function isAccepted({ status, eventType, organizer, attendees = [] }: GoogleEvent): boolean {
  const unanswered = organizer?.self ? 'accepted' : 'needsAction'
  const answer = attendees.find(({ self }) => self)?.responseStatus ?? unanswered
  // Google adds events of the type `fromGmail` for mails that it received, such as the confirmation of a reservation.
  return answer === 'accepted' && status !== 'tentative' && eventType !== 'fromGmail'
}

/** Returns the iCalendar lines that mark an event as free, tentative or out of office; none for a busy event. */
function shownAs({ status, transparency, eventType, attendees = [] }: GoogleEvent): string[] {
  const answer = attendees.find(({ self }) => self)?.responseStatus
  if (transparency === 'transparent' || eventType === 'workingLocation' || answer === 'declined')
    return ['TRANSP:TRANSPARENT']
  if (eventType === 'outOfOffice') return ['X-MICROSOFT-CDO-BUSYSTATUS:OOF']
  const isTentative = status === 'tentative' || answer === 'tentative' || answer === 'needsAction'
  return isTentative ? ['STATUS:TENTATIVE'] : []
}

/** Returns the parameters and the value of an iCalendar time property: a date, a wall time in `zone`, or an instant. */
function timeValue({ date, dateTime }: GoogleTime, zone: string | undefined): string {
  if (date !== undefined) {
    if (parseDate(date) === undefined) throw new CalendarFault('malformed')
    return `;VALUE=DATE:${date.replaceAll('-', '')}`
  }
  const seconds = Date.parse(dateTime ?? '') / 1_000
  if (!Number.isFinite(seconds)) throw new CalendarFault('malformed')
  if (zone === undefined || zone === 'UTC') return `:${instant(Math.floor(seconds))}`
  const wall = wallIn(zone, Math.floor(seconds)).replace(/[-:]/g, '')
  return `;TZID=${oneLine(zone).replace(/[;:,"]/g, '')}:${wall.length === 13 ? `${wall}00` : wall}`
}

/** Returns an instant as `2026-10-06T08:00:00Z`. */
function timeStamp(seconds: number): string {
  const wall = wallTime('UTC', seconds)
  return `${wall.length === 16 ? `${wall}:00` : wall}Z`
}

function wallIn(zone: string, seconds: number): string {
  if (!isZone(zone)) throw new CalendarFault('unknown_zone', zone.slice(0, 100))
  return wallTime(zone, seconds)
}

/** Removes control characters, which could begin another iCalendar content line. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}/gu, '')
}
