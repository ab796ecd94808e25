import type { AccountSecret } from '../accounts/account.ts'
import type {
  AccountClient,
  CalendarChanges,
  CalendarItem,
  EventPlace,
  EventToWrite,
  ReadChanges,
  RemoteCalendar,
} from '../accounts/account-client.ts'
import { CalendarFault } from '../calendar-fault.ts'
import { maxCalendarEvents } from '../calendar-limits.ts'
import { type IcsComponent, IcsReader } from '../ics/ics-reader.ts'
import type { OpeningRule } from '../openings/opening-rule.ts'
import { findCalendars, lastSegment } from './caldav-calendars.job.ts'
import { DavConnection, type DavOptions, faultOf } from './dav-connection.job.ts'
import { multigetBody, propfindBody, syncCollectionBody, uidQueryBody } from './dav-requests.ts'
import type { DavResource } from './multistatus.ts'

/** The maximum number of calendar items that one request fetches. */
const itemsAtOnce = 100
/**
 * The HTTP statuses with which CalDAV servers refuse an expired sync token, or do not support the report
 * `sync-collection`.
 */
const reportRefused = [400, 403, 405, 409, 410, 412, 501]

/** A calendar item as a CalDAV server lists it. */
interface Listed {
  readonly key: string
  readonly href: string
  /** The etag of the item's version; undefined when the item was removed. */
  readonly etag: string | undefined
}

interface Listing {
  readonly cursor: string
  readonly isComplete: boolean
  /** The URL of the calendar after redirects. */
  readonly url: string
  readonly items: readonly Listed[]
}

/**
 * An account on a CalDAV server (RFC 4791). A calendar is read incrementally with its sync token (RFC 6578). If the
 * server does not support sync tokens, the client compares the etags of all items, unless the ctag of the calendar is
 * unchanged.
 */
export class CaldavClient implements AccountClient {
  readonly #dav: DavConnection
  readonly #secret: AccountSecret

  constructor(options: DavOptions) {
    this.#dav = new DavConnection(options)
    this.#secret = options.secret
  }

  listCalendars(): Promise<readonly RemoteCalendar[]> {
    return findCalendars(this.#dav, this.#secret)
  }

  async readChanges(
    calendar: string,
    { cursor, known, onlyKnown, opening }: ReadChanges,
  ): Promise<CalendarChanges | undefined> {
    const listing = await this.#list(calendar, cursor)
    if (!listing || (listing.cursor === cursor && listing.items.length === 0 && !listing.isComplete)) return undefined
    const versions = await known()
    const wanted = listing.items.filter(({ key }) => !onlyKnown || versions.has(key))
    const present = wanted.filter(({ etag }) => etag !== undefined)
    const stale = present.filter(({ key, etag }) => versions.get(key) !== etag)
    const keys = new Set(present.map(({ key }) => key))
    const removed = listing.isComplete
      ? [...versions.keys()].filter((key) => !keys.has(key))
      : wanted.flatMap(({ key, etag }) => (etag === undefined && versions.has(key) ? key : []))
    const { items, missing } = await this.#read(listing.url, stale, opening)
    const { cursor: next, isComplete } = listing
    if (next === cursor && items.length + removed.length + missing.length === 0) return undefined
    const gone = missing.filter((key) => versions.has(key))
    return { cursor: next, isComplete, changed: items, removed: [...removed, ...gone] }
  }

  async readItem(calendar: string, key: string): Promise<CalendarItem | undefined> {
    const url = itemUrl(calendar, key)
    const { items } = await this.#read(calendar, [{ key, href: new URL(url).pathname, etag: '' }])
    return items[0]
  }

  /** Returns the key and the etag of the event with the given `UID`; undefined when there is none. */
  async #findEvent(calendar: string, uid: string): Promise<EventPlace | undefined> {
    const request = { method: 'REPORT', url: calendar, body: uidQueryBody(uid), headers: { depth: '1' } } as const
    const answer = await this.#dav.multistatus(request)
    return (answer?.resources ?? []).map(listed).find(({ etag }) => etag !== undefined) as EventPlace | undefined
  }

  async writeEvent(calendar: string, event: EventToWrite): Promise<EventPlace | 'changed'> {
    const { key, content, etag } = event
    const url = itemUrl(calendar, key)
    const condition = etag === '' ? { 'if-none-match': '*' } : ifMatch(etag)
    const headers = { 'content-type': 'text/calendar; charset=utf-8', ...condition }
    const answer = await this.#dav.send({ method: 'PUT', url, body: content, headers })
    const { status } = answer
    if (status === 412) return 'changed'
    // The server may refuse the event because it already has an event with the same `UID` under another key, for
    // example because the provider accepted an invitation. The event under that key is then replaced.
    const isElsewhere = (status === 403 || status === 409) && /no-uid-conflict/.test(answer.body)
    if (isElsewhere || (status === 409 && etag === '')) {
      const other = await this.#findEvent(calendar, event.uid)
      if (!other || other.key === key) throw faultOf(status)
      return this.writeEvent(calendar, { ...event, ...other })
    }
    if (status < 200 || status > 299) throw faultOf(status)
    // A server that changes the content while storing it returns no strong etag. The etag is then read with another
    // request.
    const version = [answer.headers.etag ?? []].flat()[0]
    return { key, etag: version?.startsWith('W/') === false ? version : await this.#etagOf(url) }
  }

  async removeEvent(calendar: string, { key, etag }: EventPlace): Promise<'removed' | 'changed'> {
    const headers = ifMatch(etag)
    const { status } = await this.#dav.send({ method: 'DELETE', url: itemUrl(calendar, key), headers })
    if (status === 404 || status === 410) return 'removed'
    if (status === 412) return (await this.readItem(calendar, key)) ? 'changed' : 'removed'
    if (status < 200 || status > 299) throw faultOf(status)
    return 'removed'
  }

  /**
   * Lists the items of a calendar that changed since the sync position `cursor`; lists all items when `cursor` contains
   * no sync token that the server accepts. Returns undefined when `cursor` contains a ctag that is unchanged.
   */
  async #list(calendar: string, cursor: string | undefined): Promise<Listing | undefined> {
    if (cursor?.startsWith('t:')) {
      const changes = await this.#report(calendar, cursor.slice(2))
      if (changes) return changes
    }
    const [own] = await this.#properties(calendar)
    const token = own?.properties.get('sync-token')?.text ?? ''
    const ctag = own?.properties.get('getctag')?.text ?? ''
    if (cursor !== undefined && ctag !== '' && cursor === `c:${ctag}`) return undefined
    // A server may offer a sync token and still refuse the report `sync-collection`. The items are then listed by their
    // etags.
    const all = token !== '' && cursor?.startsWith('c:') !== true ? await this.#report(calendar, '') : undefined
    return all ?? this.#versions(calendar, ctag === '' ? 'l:' : `c:${ctag}`)
  }

  async #properties(calendar: string): Promise<readonly DavResource[]> {
    const body = propfindBody(['d:sync-token', 's:getctag', 'd:resourcetype'])
    const answer = await this.#dav.multistatus({ method: 'PROPFIND', url: calendar, body, headers: { depth: '0' } })
    if (!answer?.resources[0]?.properties.get('resourcetype')?.elements.includes('calendar'))
      throw new CalendarFault('not_a_calendar')
    return answer.resources
  }

  /**
   * Lists the items of a calendar that changed since a sync token; a response that the server truncates is continued
   * with further requests. Returns undefined when the server refuses the token or the report, returns no token, or
   * truncates a response without a new token to continue from.
   */
  async #report(calendar: string, since: string): Promise<Listing | undefined> {
    const items = new Map<string, Listed>()
    for (let token = since; ; ) {
      const request = { method: 'REPORT', url: calendar, body: syncCollectionBody(token) } as const
      const answer = await this.#dav.multistatus(request, {}, reportRefused)
      if (!answer || answer.syncToken === '') return undefined
      for (const resource of answer.resources) if (isItem(resource)) items.set(listed(resource).key, listed(resource))
      if (items.size > maxCalendarEvents) throw new CalendarFault('too_many_events')
      const isPartial = answer.resources.some(({ status }) => status === 507)
      if (isPartial && answer.syncToken === token) return undefined
      token = answer.syncToken
      if (!isPartial)
        return { cursor: `t:${token}`, isComplete: since === '', url: answer.url, items: [...items.values()] }
    }
  }

  /** Lists all items of a calendar with their etags. */
  async #versions(calendar: string, cursor: string): Promise<Listing> {
    const body = propfindBody(['d:getetag', 'd:resourcetype'])
    const answer = await this.#dav.multistatus({ method: 'PROPFIND', url: calendar, body, headers: { depth: '1' } })
    const items = (answer?.resources ?? []).filter(isItem).map(listed)
    if (items.length > maxCalendarEvents) throw new CalendarFault('too_many_events')
    return { cursor, isComplete: true, url: answer?.url ?? calendar, items }
  }

  /** Reads the content of calendar items; `missing` are the keys of items that were removed since they were listed. */
  async #read(
    calendar: string,
    wanted: readonly Pick<Listed, 'key' | 'href' | 'etag'>[],
    opening?: OpeningRule,
  ): Promise<{ readonly items: CalendarItem[]; readonly missing: string[] }> {
    const items: CalendarItem[] = []
    const missing: string[] = []
    for (let from = 0; from < wanted.length; from += itemsAtOnce) {
      const part = wanted.slice(from, from + itemsAtOnce)
      const left = new Set(part.map(({ key }) => key))
      let content = new ItemContent(opening)
      const resource = (found: DavResource): void => {
        const { key, etag } = listed(found)
        const read = content
        content = new ItemContent(opening)
        if (!left.delete(key)) return
        if (found.status === 404 || found.status === 410) missing.push(key)
        else if (etag === undefined) throw new CalendarFault('malformed')
        else items.push({ key, etag, components: read.components() })
      }
      const body = multigetBody(part.map(({ href }) => href))
      const request = { method: 'REPORT', url: calendar, body, headers: { depth: '1' } } as const
      await this.#dav.multistatus(request, { resource, calendarData: (piece) => content.push(piece) })
      // An item that the response omits may be busy time, so the reading fails.
      if (left.size > 0) throw new CalendarFault('malformed')
    }
    return { items, missing }
  }

  async #etagOf(url: string): Promise<string> {
    const body = propfindBody(['d:getetag'])
    const answer = await this.#dav.multistatus({ method: 'PROPFIND', url, body, headers: { depth: '0' } })
    return answer?.resources[0]?.properties.get('getetag')?.text ?? ''
  }
}

/** The components of one calendar item, parsed while the content arrives. */
class ItemContent {
  readonly #components: IcsComponent[] = []
  readonly #opening: OpeningRule | undefined
  #reader: IcsReader | undefined

  constructor(opening: OpeningRule | undefined) {
    this.#opening = opening
  }

  push(piece: string): void {
    this.#reader ??= new IcsReader((component) => this.#components.push(component), this.#opening)
    this.#reader.push(piece)
  }

  /**
   * Returns the components of the item; throws a `CalendarFault` when the content is incomplete or was not in the
   * response.
   */
  components(): readonly IcsComponent[] {
    if (!this.#reader) throw new CalendarFault('malformed')
    this.#reader.end()
    return this.#components
  }
}

/**
 * Returns the header `If-Match` for an etag. Returns no header for an empty etag, or for a weak etag, because
 * `If-Match` never matches a weak etag (RFC 9110).
 */
function ifMatch(etag: string): Readonly<Record<string, string>> {
  return etag === '' || etag.startsWith('W/') ? {} : { 'if-match': etag }
}

function itemUrl(calendar: string, key: string): string {
  return new URL(encodeURIComponent(key), calendar).href
}

/** Whether a listed resource is an item of the calendar, not the calendar itself or a collection in it. */
function isItem({ href, status, properties }: DavResource): boolean {
  if (status === 507 || href.endsWith('/')) return false
  return !properties.get('resourcetype')?.elements.includes('collection')
}

/**
 * Returns the key, path and etag of a resource that the server listed; the etag is undefined when the item was removed.
 * Throws a `CalendarFault` for a resource that exists but has no etag, which would otherwise count as removed.
 */
function listed({ href, status, properties }: DavResource): Listed {
  const etag = properties.get('getetag')?.text ?? ''
  if (status < 400 && etag === '') throw new CalendarFault('malformed')
  return { key: lastSegment(href), href, etag: status >= 400 ? undefined : etag }
}
