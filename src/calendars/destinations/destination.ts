import type { EventDetails } from '../accounts/account-client.ts'
import type { CalendarFaultCode } from '../calendar-fault.ts'
import { escaped, folded, instant, meetingLines } from '../ics/ics-text.ts'

/** What happens to an event that was moved in the calendar: its reservation moves as well, or the event is put back. */
export type MovePolicy = 'reschedule' | 'restore'

/** The calendar of an account to which the reservations of a provider are written. */
export interface CalendarDestination {
  readonly providerId: number
  readonly accountId: string
  /** Identifies the calendar within the account. */
  readonly calendar: string
  readonly name: string
  readonly policy: MovePolicy
  /** Whether the titles of events name customers. */
  readonly names: boolean
  /** Whether the calendar system creates the meetings of online appointments. */
  readonly meetings: boolean
  /** The position up to which the calendar was compared; empty before the first comparison. */
  readonly cursor: string
  /** When all events were compared; 0 for never. */
  readonly listedAt: number
  /** When the calendar was compared last; 0 for never. */
  readonly readAt: number
  readonly nextAt: number
  /** Failures since the last success. */
  readonly failures: number
  readonly fault: CalendarFaultCode | null
  readonly faultDetail: string
  readonly createdAt: number
}

/** Identifies the event of a reservation in the calendar of one provider. */
export interface EventKey {
  readonly reservationId: string
  readonly providerId: number
  readonly calendar: string
}

/**
 * Why an event could not be written: `contested` when other programs changed it again and again; `no_meeting` for one that was
 * written, but for which the calendar system created no meeting.
 */
export type EventFault = CalendarFaultCode | 'contested' | 'no_meeting'

/** The event of a reservation in the calendar of one provider. */
export interface CalendarEvent extends EventKey {
  readonly accountId: string
  readonly item: string
  readonly uid: string
  /** The version of the event on the server; empty when the event is not known to exist. */
  readonly etag: string
  /** The digest of what was written; empty when the event has to be written. */
  readonly written: string
  /** The times that were written. */
  readonly start: number
  readonly end: number
  /** How often the event was put back since its times were written last. */
  readonly restored: number
  readonly fault: EventFault | null
  readonly faultDetail: string
}

/** How often an event is put back before that is left to people, so that two programs do not overwrite each other forever. */
export const maxRestored = 3

/** A reservation as its event in a calendar shows it. */
export interface PlannedEvent {
  readonly reservationId: string
  readonly start: number
  readonly end: number
  readonly status: 'pending' | 'confirmed' | 'cancelled'
  readonly version: number
  readonly updatedAt: number
  readonly service: string
  /** The address of an online appointment; empty for none. */
  readonly meeting: string
  /** Whether the service takes place online. */
  readonly isOnline: boolean
  /** The provider of the reservation. */
  readonly providerId: number
  /** Empty when the customer was removed. */
  readonly customer: string
  /** The providers whose time the reservation occupies. */
  readonly providerIds: readonly number[]
}

/** Returns the title of the event of a reservation. */
function titleOf({ service, customer }: PlannedEvent, { names }: Pick<CalendarDestination, 'names'>): string {
  return names && customer !== '' ? `${service} · ${customer}` : service
}

/** Whether the calendar system is to create the meeting of a reservation: an online appointment without an address. */
export function needsMeeting(
  { status, meeting, isOnline, providerId }: Pick<PlannedEvent, 'status' | 'meeting' | 'isOnline' | 'providerId'>,
  destination: Pick<CalendarDestination, 'meetings' | 'providerId'>,
): boolean {
  const isWanted = destination.meetings && destination.providerId === providerId
  return isWanted && isOnline && status === 'confirmed' && meeting === ''
}

/** Returns what decides whether the event of a reservation has to be written again. */
export function essence(planned: PlannedEvent, destination: Pick<CalendarDestination, 'names'>): string {
  const { start, end, status, meeting } = planned
  // Events of reservations without a meeting keep the essence that earlier versions stored.
  return JSON.stringify([start, end, status, titleOf(planned, destination), ...(meeting === '' ? [] : [meeting])])
}

/** Returns what the event of a reservation shows. */
export function eventDetails(
  planned: PlannedEvent,
  destination: Pick<CalendarDestination, 'names' | 'meetings' | 'providerId'>,
): EventDetails {
  const { start, end, status, meeting } = planned
  const createsMeeting = needsMeeting(planned, destination)
  return {
    title: titleOf(planned, destination),
    start,
    end,
    isTentative: status === 'pending',
    meeting,
    createsMeeting,
  }
}

/** Returns the iCalendar file of the event of a reservation. */
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
