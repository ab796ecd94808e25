import { escaped, folded, instant, meetingLines } from '../ics/ics-text.ts'
import type { CalendarFeed, FeedEvent } from './feed.ts'

/** The input of `feedText`. */
export interface FeedText {
  readonly feed: Pick<CalendarFeed, 'providerId' | 'serviceId' | 'names'>
  /** The name of the feed that calendar programs suggest for the subscribed calendar. */
  readonly name: string
  /** The host name in the `UID`s of the events, the same as in calendar files in mails. */
  readonly host: string
  readonly events: readonly FeedEvent[]
}

/**
 * The number of events in one part of the text of a feed. Composing more at once would delay other requests by
 * milliseconds.
 */
const eventsAtOnce = 250

/**
 * Composes the iCalendar file of a feed in parts. Its events have the same `UID`s as the calendar files in mails.
 * Therefore, a calendar program shows a reservation only once, and the events block no time if a connected calendar
 * contains them.
 */
export function* feedText({ feed, name, host, events }: FeedText): Generator<string> {
  yield [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Daybook//Daybook//EN', 'CALSCALE:GREGORIAN', 'METHOD:PUBLISH'],
    ...[`NAME:${escaped(name)}`, `X-WR-CALNAME:${escaped(name)}`, 'REFRESH-INTERVAL;VALUE=DURATION:PT15M', ''],
  ]
    .map(folded)
    .join('\r\n')
  for (let from = 0; from < events.length; from += eventsAtOnce) {
    let part = ''
    for (const event of events.slice(from, from + eventsAtOnce)) part += eventText(event, feed, host)
    yield part
  }
  yield 'END:VCALENDAR\r\n'
}

function eventText(event: FeedEvent, feed: FeedText['feed'], host: string): string {
  const { id, updatedAt, version, start, end, isPending } = event
  return `BEGIN:VEVENT\r
${folded(`UID:${id}@${host}`)}\r
DTSTAMP:${instant(updatedAt)}\r
SEQUENCE:${version}\r
DTSTART:${instant(start)}\r
DTEND:${instant(end)}\r
STATUS:${isPending ? 'TENTATIVE' : 'CONFIRMED'}\r
${folded(`SUMMARY:${escaped(summary(feed, event))}`)}\r
${meetingLines(event.meeting)
  .map((line) => `${folded(line)}\r\n`)
  .join('')}END:VEVENT\r
`
}

/**
 * Returns the title of an event in a feed: the service and the provider unless all events of the feed share them, and
 * the customer if the feed shows names.
 */
function summary(
  { providerId, serviceId, names }: FeedText['feed'],
  { service, provider, customer }: FeedEvent,
): string {
  return [
    ...(serviceId === null ? [service] : []),
    ...(providerId === null ? [provider] : []),
    ...(names && customer !== '' ? [customer] : []),
  ].join(' · ')
}
