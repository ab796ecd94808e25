import type { AccountSecret } from '../accounts/account.ts'
import type { RemoteCalendar } from '../accounts/account-client.ts'
import { CalendarFault } from '../calendar-fault.ts'
import type { DavConnection } from './dav-connection.job.ts'
import { type PropertyName, propfindBody } from './dav-requests.ts'
import type { DavResource } from './multistatus.ts'

/** The maximum number of calendars of a CalDAV account. */
const maxCalendars = 200

const startProperties: readonly PropertyName[] = [
  'd:resourcetype',
  'd:displayname',
  'd:current-user-principal',
  'd:current-user-privilege-set',
  'c:calendar-home-set',
  'c:supported-calendar-component-set',
]

/**
 * Finds the calendars of a CalDAV account from the address that a user entered: that of a server, of a user or of one
 * calendar. Tries the entered address if it has a path, then the well-known URL (RFC 6764) and then the root of the
 * server, until one of them leads to calendars; throws a `CalendarFault` when none does.
 */
export async function findCalendars(dav: DavConnection, { url }: AccountSecret): Promise<RemoteCalendar[]> {
  const { pathname, origin } = new URL(url)
  const places = [...(pathname === '/' ? [] : [url]), `${origin}/.well-known/caldav`, `${origin}/`]
  let fault = new CalendarFault('not_a_calendar')
  for (const place of places) {
    const found = await calendarsFrom(dav, place).catch((error: unknown) => {
      if (!(error instanceof CalendarFault) || !isElsewhere(error)) throw error
      fault = error
      return []
    })
    if (found.length > 0) return found
  }
  throw fault
}

/** Whether the calendars may be at another address of the same server despite a fault. */
function isElsewhere({ code }: CalendarFault): boolean {
  return code === 'not_found' || code === 'not_a_calendar' || code === 'server_error' || code === 'malformed'
}

async function calendarsFrom(dav: DavConnection, place: string): Promise<RemoteCalendar[]> {
  const start = await propertiesOf(dav, place)
  const principal = hrefsOf(start, 'current-user-principal')[0]
  const owner =
    hrefsOf(start, 'calendar-home-set').length > 0 || !principal ? start : await propertiesOf(dav, principal)
  const homes = hrefsOf(owner, 'calendar-home-set')
  const lists = await Promise.all(homes.slice(0, 5).map((home) => calendarsIn(dav, home)))
  const found = [...new Map(lists.flat().map((calendar) => [calendar.ref, calendar])).values()]
  if (found.length > 0) return found.slice(0, maxCalendars)
  return start.flatMap((resource) => calendarOf(resource) ?? [])
}

async function calendarsIn(dav: DavConnection, home: string): Promise<RemoteCalendar[]> {
  return (await propertiesOf(dav, home, '1')).flatMap((resource) => calendarOf(resource) ?? [])
}

/** A WebDAV resource with its absolute URL. */
type Located = DavResource & { readonly url: string }

async function propertiesOf(dav: DavConnection, url: string, depth: '0' | '1' = '0'): Promise<Located[]> {
  const answer = await dav.multistatus({
    ...{ method: 'PROPFIND', url, body: propfindBody(startProperties), headers: { depth } },
  })
  return (answer?.resources ?? []).flatMap((resource) =>
    URL.canParse(resource.href, answer?.url) ? { ...resource, url: new URL(resource.href, answer?.url).href } : [],
  )
}

/** Returns the absolute URLs in a property of the given resources. */
function hrefsOf(resources: readonly Located[], name: string): string[] {
  return resources.flatMap(({ properties, url }) =>
    (properties.get(name)?.hrefs ?? []).flatMap((href) =>
      href !== '' && URL.canParse(href, url) ? new URL(href, url).href : [],
    ),
  )
}

/**
 * Returns the calendar that a WebDAV resource describes; undefined for a resource that is not a calendar, or a calendar
 * that cannot contain events.
 */
function calendarOf({ url, properties }: Located): RemoteCalendar | undefined {
  if (!properties.get('resourcetype')?.elements.includes('calendar')) return undefined
  const takes = properties.get('supported-calendar-component-set')?.names ?? []
  if (takes.length > 0 && !takes.some((name) => name.toUpperCase() === 'VEVENT')) return undefined
  const privileges = properties.get('current-user-privilege-set')?.elements
  const writable = !privileges || ['all', 'write', 'write-content', 'bind'].some((one) => privileges.includes(one))
  const name = properties.get('displayname')?.text.slice(0, 200) || lastSegment(url)
  return { ref: url.endsWith('/') ? url : `${url}/`, name, writable }
}

/** Returns the last segment of the path of a URL, decoded. */
export function lastSegment(url: string): string {
  // A regular expression that matches from `?` or `#` to the end takes quadratic time if the server sends a URL such as
  // `####…` with a line break, because it is tried at each `#`.
  const [path = ''] = url.split(/[?#]/, 1)
  const text = path.replace(/\/$/, '').split('/').at(-1) ?? ''
  // A segment with an invalid percent-encoding, or with an encoded NUL, which PostgreSQL cannot store, is returned
  // unchanged.
  return /%(?![0-9a-f]{2})|%00/i.test(text) ? text : decoded(text)
}

function decoded(text: string): string {
  return new TextDecoder().decode(
    Uint8Array.from([...text.matchAll(/%([0-9a-f]{2})|([^%])/giu)].flatMap(([, hex, char]) => bytesOf(hex, char))),
  )
}

function bytesOf(hex: string | undefined, character: string | undefined): number[] {
  return hex === undefined ? [...new TextEncoder().encode(character)] : [Number.parseInt(hex, 16)]
}
