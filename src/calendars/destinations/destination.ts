import type { EventDetails } from '../accounts/account-client.ts'
import type { CalendarFaultCode } from '../calendar-fault.ts'
import { escaped, folded, instant, meetingLines } from '../ics/ics-text.ts'

/**
 * What happens when the event of a reservation was moved in the calendar: with `reschedule`, the reservation is moved
 * as well if the booking rules allow it; otherwise, the event is moved back.
 */
export type MovePolicy = 'reschedule' | 'restore'

/**
 * The calendar of an account to which the reservations of a provider are written, called the provider's destination.
 */
export interface CalendarDestination {
  readonly providerId: number
  readonly accountId: string
  /** The id of the calendar within the account. */
  readonly calendar: string
  readonly name: string
  readonly policy: MovePolicy
  /** Whether the titles of events contain the names of customers. */
  readonly names: boolean
  /** Whether the calendar system creates the meetings of online appointments. */
  readonly meetings: boolean
  /**
   * The sync position up to which the calendar was compared with the reservations; empty before the first comparison.
   */
  readonly cursor: string
  /** When all events of the calendar were last compared with the reservations (Unix seconds); 0 for never. */
  readonly listedAt: number
  /** When the calendar was last compared with the reservations (Unix seconds); 0 for never. */
  readonly readAt: number
  readonly nextAt: number
  /** The number of failed comparisons of the calendar since the last successful one. */
  readonly failures: number
  readonly fault: CalendarFaultCode | null
  readonly faultDetail: string
  readonly createdAt: number
}

/** Identifies the event of a reservation in a calendar of one provider. */
export interface EventKey {
  readonly reservationId: string
  readonly providerId: number
  readonly calendar: string
}

/**
 * What is wrong with the event of a reservation: why it could not be written or removed, `contested` if another program
 * changed it repeatedly, or `no_meeting` if it was written but the calendar system created no online meeting for it.
 */
export type EventFault = CalendarFaultCode | 'contested' | 'no_meeting'

/** The event of a reservation in a calendar of one provider, as stored. */
export interface CalendarEvent extends EventKey {
  readonly accountId: string
  readonly item: string
  readonly uid: string
  /**
   * The `UID` that the calendar system gave the event instead of `uid`, by which the event is recognised in a calendar
   * file of that system; empty when there is none.
   */
  readonly assignedUid: string
  /** The etag of the event on the server; empty when the event may not exist there. */
  readonly etag: string
  /** The digest of the content that was last written to the event; empty when the event has to be written. */
  readonly written: string
  /**
   * The start and end of the event (Unix seconds) when it was last written, or when a change of it in the calendar was
   * last accepted; 0 until it is first written.
   */
  readonly start: number
  readonly end: number
  /**
   * When the calendar system was first asked to create the online meeting that the event lacks (Unix seconds); 0 when
   * it was not asked, or when the meeting was given up.
   */
  readonly meetingAskedAt: number
  /**
   * How often the event was moved back or written again after a change by another program; reset to 0 when the times of
   * the reservation change.
   */
  readonly restored: number
  readonly fault: EventFault | null
  readonly faultDetail: string
}

/**
 * The maximum of `CalendarEvent.restored`. After that, staff have to resolve the conflict, so that two programs do not
 * overwrite each other forever.
 */
export const maxRestored = 3

/** The data of a reservation from which its event in a calendar is composed. */
export interface PlannedEvent {
  readonly reservationId: string
  readonly start: number
  readonly end: number
  readonly status: 'pending' | 'confirmed' | 'cancelled'
  readonly version: number
  readonly updatedAt: number
  readonly service: string
  /** The URL of the reservation's online meeting; empty for none. */
  readonly meeting: string
  /** Whether the service takes place online. */
  readonly isOnline: boolean
  /** The id of the provider of the reservation. */
  readonly providerId: number
  /** The customer's name; empty when the customer was removed. */
  readonly customer: string
  /** The ids of the providers whose time the reservation occupies. */
  readonly providerIds: readonly number[]
}

/** Returns the title of the calendar event of a reservation. */
function titleOf({ service, customer }: PlannedEvent, { names }: Pick<CalendarDestination, 'names'>): string {
  return names && customer !== '' ? `${service} · ${customer}` : service
}

/**
 * Whether the calendar system has to create an online meeting: the calendar to which the provider's reservations are
 * written is set to create meetings, and the reservation is confirmed, takes place online, has no meeting URL yet and
 * has not ended at `now` (Unix seconds).
 */
export function needsMeeting(
  { status, meeting, isOnline, providerId, end }: PlannedEvent,
  destination: Pick<CalendarDestination, 'meetings' | 'providerId'>,
  now: number,
): boolean {
  const isWanted = destination.meetings && destination.providerId === providerId
  return isWanted && isOnline && status === 'confirmed' && meeting === '' && end > now
}

/**
 * Returns the data that the calendar event of a reservation shows, as JSON; when the text changes, the event has to be
 * written again.
 */
export function essence(planned: PlannedEvent, destination: Pick<CalendarDestination, 'names'>): string {
  const { start, end, status, meeting } = planned
  // An empty meeting URL adds no element, so that the JSON is the same as in versions of this service without meeting
  // URLs, and an upgrade does not rewrite all events.
  return JSON.stringify([start, end, status, titleOf(planned, destination), ...(meeting === '' ? [] : [meeting])])
}

/** Returns the content of the calendar event of a reservation at `now` (Unix seconds). */
export function eventDetails(
  planned: PlannedEvent,
  destination: Pick<CalendarDestination, 'names' | 'meetings' | 'providerId'>,
  now: number,
): EventDetails {
  const { start, end, status, meeting } = planned
  const createsMeeting = needsMeeting(planned, destination, now)
  return {
    title: titleOf(planned, destination),
    start,
    end,
    isTentative: status === 'pending',
    meeting,
    createsMeeting,
  }
}

/** Returns the calendar event of a reservation as an iCalendar file. */
export function eventFile(planned: PlannedEvent, destination: Pick<CalendarDestination, 'names'>, uid: string): string {
  const { start, end, status, version, updatedAt } = planned
  const lines = [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Daybook//Daybook//EN', 'BEGIN:VEVENT', `UID:${uid}`],
    ...[`DTSTAMP:${instant(updatedAt)}`, `SEQUENCE:${version}`, `DTSTART:${instant(start)}`, `DTEND:${instant(end)}`],
    ...[`STATUS:${status === 'pending' ? 'TENTATIVE' : 'CONFIRMED'}`, 'TRANSP:OPAQUE'],
    ...[
      `SUMMARY:${escaped(titleOf(planned, destination))}`,
      ...meetingLines(planned.meeting),
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ],
  ]
  return lines.map(folded).join('\r\n')
}
