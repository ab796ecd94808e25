/** The sender or the recipient of an invitation. */
interface Mailbox {
  readonly name: string
  readonly address: string
}

/** The content of a calendar file about one appointment. */
export interface CalendarEntry {
  /** The iCalendar method; `PUBLISH` for a file that the customer adds to a calendar. */
  readonly method: 'REQUEST' | 'CANCEL' | 'PUBLISH'
  /** Identifies the appointment in every file about one reservation, so that calendars update and remove its entry. */
  readonly uid: string
  /** The iCalendar sequence number, which must increase with each change of the appointment. */
  readonly sequence: number
  /** Whether the appointment is a request that was not confirmed yet; ignored for the method `CANCEL`. */
  readonly isTentative?: boolean
  /** The start of the appointment, in Unix seconds like `end` and `now`. */
  readonly start: number
  readonly end: number
  readonly now: number
  readonly summary: string
  readonly description: string
  /** The address of the online meeting; absent or null when there is none. */
  readonly meeting?: string | null | undefined
  readonly organizer?: Mailbox
  readonly attendee?: Mailbox
}

/** Returns the calendar file of an appointment: one event, with times in UTC. */
export async function calendarFile(entry: CalendarEntry): Promise<string> {
  // The iCalendar library is loaded on demand: an installation that creates no calendar files does not need its memory.
  const { ICalAttendeeStatus, ICalCalendarMethod, ICalEventStatus, default: ical } = await import('ical-generator')
  const { method, uid, sequence, start, end, now, summary, description, meeting, organizer, attendee } = entry
  const active = entry.isTentative ? ICalEventStatus.TENTATIVE : ICalEventStatus.CONFIRMED
  const calendar = ical({
    prodId: { company: 'Daybook', product: 'Daybook', language: 'EN' },
    method: ICalCalendarMethod[method],
  })
  calendar.createEvent({
    id: uid,
    sequence,
    stamp: instant(now),
    start: instant(start),
    end: instant(end),
    summary: plain(summary),
    description,
    // The library escapes commas and semicolons in `url` with backslashes, which make the URL invalid, so an address
    // that contains one of them is given only as the location.
    ...(meeting && { location: meeting, ...(!/[,;]/.test(meeting) && { url: meeting }) }),
    status: method === 'CANCEL' ? ICalEventStatus.CANCELLED : active,
    ...(organizer && { organizer: { name: named(organizer), email: organizer.address } }),
    ...(attendee && {
      attendees: [{ name: named(attendee), email: attendee.address, status: ICalAttendeeStatus.ACCEPTED, rsvp: false }],
    }),
  })
  return calendar.toString()
}

function instant(seconds: number): Date {
  return new Date(seconds * 1000)
}

/**
 * Returns the name of a mailbox, or its address if the name is empty, as an iCalendar parameter value, which cannot
 * contain double quotes even when escaped.
 */
function named({ name, address }: Mailbox): string {
  return plain(name).replaceAll('"', '’') || address
}

function plain(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim()
}
