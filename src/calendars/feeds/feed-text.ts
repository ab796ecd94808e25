import { dateText, digits } from '../../scheduling/time/date.ts'
import type { CalendarFeed, FeedEvent } from './feed.ts'

/** What the text of a feed depends on besides its events. */
export interface FeedText {
  readonly feed: Pick<CalendarFeed, 'providerId' | 'serviceId' | 'names'>
  /** The name that calendar programs suggest for the calendar. */
  readonly name: string
  /** The host in the identifiers of the events, as in calendar files in mails. */
  readonly host: string
  readonly events: readonly FeedEvent[]
}

/** Events of a part of the text: composing more at once would delay other requests by milliseconds. */
const eventsAtOnce = 250

/**
 * Composes the iCalendar file of a feed in parts. Its events have the identifiers of the calendar files in mails, so that
 * a calendar program shows a reservation once, and so that a calendar which contains them does not block them here.
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
END:VEVENT\r
`
}

/** Returns the title of an event: what the feed does not have in common, and the customer where names are shown. */
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

/** Formats an instant as `20261006T080000Z`. */
function instant(seconds: number): string {
  const day = Math.floor(seconds / 86_400)
  const second = seconds - day * 86_400
  const date = dateText(day)
  const time = digits(Math.floor(second / 3_600) * 10_000 + (Math.floor(second / 60) % 60) * 100 + (second % 60), 6)
  return `${date.slice(0, 4)}${date.slice(5, 7)}${date.slice(8)}T${time}Z`
}

/** Escapes a text value; line breaks and other control characters cannot end the line. */
function escaped(text: string): string {
  if (!special.test(text)) return text
  return text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|[\n\r\u0085\u2028\u2029]/g, '\\n')
    .replace(/\p{Cc}+/gu, ' ')
}

// Most texts have no such character, and a test takes a fraction of the time of the replacements.
const special = /[\\;,\p{Cc}\u2028\u2029]/u

const maxOctets = 75
const ascii = /^[ -~]*$/

/** Folds a line after at most 75 octets, never within a character. */
function folded(line: string): string {
  // A UTF-16 unit has at most three octets, and one of ASCII has one.
  if (line.length * 3 <= maxOctets || (line.length <= maxOctets && ascii.test(line))) return line
  const parts: string[] = []
  let part = ''
  let size = 0
  for (const character of line) {
    const point = character.codePointAt(0) ?? 0
    const octets = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
    if (size + octets > maxOctets) {
      parts.push(part)
      part = ' '
      size = 1
    }
    part += character
    size += octets
  }
  return [...parts, part].join('\r\n')
}
