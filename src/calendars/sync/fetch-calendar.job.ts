import type { OutboundClient, OutboundResponse } from '../../http/outbound/outbound-client.ts'
import { OutboundError } from '../../http/outbound/outbound-error.ts'
import { headerOf } from '../../http/outbound/response-headers.ts'
import type { CalendarSecret } from '../calendar.ts'
import { calendarAddress } from '../calendar-address.ts'
import { CalendarFault } from '../calendar-fault.ts'
import { maxCalendarBytes } from '../calendar-limits.ts'
import { CalendarContent } from '../ics/calendar-content.job.ts'
import type { OpeningRule } from '../openings/opening-rule.ts'
import { refuseWhenBusy } from '../server-busy.job.ts'

const timeout = 30_000
const maxRedirects = 3

/** The dependencies of a request for a calendar file. */
export interface FetchOptions {
  readonly client: OutboundClient
  readonly version: string
  readonly signal?: AbortSignal | undefined
  /** Returns the current Unix time in seconds. */
  readonly now: () => number
  /** The rule for events that open time for booking instead of blocking it; undefined if there is none. */
  readonly opening?: OpeningRule | undefined
}

/** The HTTP validators of a calendar file as it was last read, for a conditional request. */
export interface Validators {
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
}

/** The result of a request for a calendar file; `content` is undefined when the file has not changed. */
export interface FetchedCalendar extends Validators {
  readonly content: CalendarContent | undefined
}

/** Requests a calendar file and parses it while it arrives; throws a `CalendarFault` when this fails. */
export async function fetchCalendar(
  { url }: Pick<CalendarSecret, 'url'>,
  known: Validators,
  options: FetchOptions,
): Promise<FetchedCalendar> {
  let target = calendarAddress(url)
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const content = new CalendarContent()
    const response = await download(target, content, known, options)
    refuseWhenBusy(response, options.now())
    const { status } = response
    if (status === 200) return { content, ...validatorsOf(response) }
    if (status === 304) return { content: undefined, ...known }
    const location = headerOf(response, 'location')
    if (![301, 302, 303, 307, 308].includes(status) || location === undefined) throw faultOf(status)
    if (!URL.canParse(location, target)) throw new CalendarFault('url_invalid')
    target = calendarAddress(new URL(location, target).href)
  }
  throw new CalendarFault('too_many_redirects')
}

async function download(
  url: string,
  content: CalendarContent,
  { etag, lastModified }: Validators,
  { client, version, signal, opening }: FetchOptions,
): Promise<OutboundResponse> {
  const reader = content.reader(opening)
  const headers = {
    accept: 'text/calendar, */*;q=0.1',
    'user-agent': `Daybook/${version}`,
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
  }
  const limits = { maxBytes: maxCalendarBytes, onText: (piece: string) => reader.push(piece) }
  const request = { url, method: 'GET', headers, timeout, ...(signal && { signal }) } as const
  const response = await client.download(request, limits).catch(throwFault)
  if (response.status === 200) reader.end()
  return response
}

/** Throws the `CalendarFault` for an error of the outbound client; rethrows any other error. */
function throwFault(error: unknown): never {
  if (error instanceof OutboundError) throw new CalendarFault(error.reason)
  throw error
}

/** Returns the fault that an HTTP status of the server of a calendar file means. */
function faultOf(status: number): CalendarFault {
  if (status === 401 || status === 403) return new CalendarFault('sign_in_refused')
  if (status === 404 || status === 410) return new CalendarFault('not_found')
  return new CalendarFault('server_error', String(status))
}

function validatorsOf(response: OutboundResponse): Validators {
  const [etag, lastModified] = [headerOf(response, 'etag'), headerOf(response, 'last-modified')]
  return {
    ...(etag !== undefined && etag.length <= 500 && { etag }),
    ...(lastModified !== undefined && lastModified.length <= 100 && { lastModified }),
  }
}
