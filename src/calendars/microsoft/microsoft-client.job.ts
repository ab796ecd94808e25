import { createHash } from 'node:crypto'
import { dateText } from '../../scheduling/time/date.ts'
import {
  type AccountClient,
  type CalendarChanges,
  type CalendarItem,
  createdMeeting,
  type EventPlace,
  type EventToWrite,
  maxWindowDays,
  type ReadChanges,
  type RemoteCalendar,
  type RemoteWatch,
  type StoredEvent,
  type WatchRequest,
} from '../accounts/account-client.ts'
import { CalendarFault } from '../calendar-fault.ts'
import { maxCalendarEvents } from '../calendar-limits.ts'
import { GrantedConnection, type GrantedOptions, type GrantedRequest } from '../oauth/granted-connection.job.ts'
import type { OpeningRule } from '../openings/opening-rule.ts'
import { componentOf, eventBody, type MicrosoftEvent, uidPropertyId } from './microsoft-event.ts'

/** When more calendars than this have been listed for a Microsoft 365 account, no further page is requested. */
const maxCalendars = 1_000
const daySeconds = 86_400
/** The days after which the interval of listed events is moved forward and the calendar is read completely. */
const stepDays = 30
/**
 * Events are listed from yesterday until this many days ahead, so that the interval still covers `maxWindowDays` days
 * just before it is moved forward.
 */
const daysAhead = maxWindowDays + stepDays

interface Page<Item> {
  readonly value?: readonly Item[]
  readonly '@odata.nextLink'?: string
  readonly '@odata.deltaLink'?: string
}

interface MicrosoftCalendar {
  readonly id: string
  readonly name?: string
  readonly canEdit?: boolean
  readonly isDefaultCalendar?: boolean
  readonly owner?: { readonly address?: string } | null
}

/**
 * An account on Microsoft 365 (Graph v1.0). A calendar is read incrementally with a delta link, within an interval that
 * moves forward at least every `stepDays` days. Graph lists the instances of a series one by one, but does not list all
 * deleted ones; after a change of a series, the calendar is therefore read completely, unless `onlyKnown` is set. Ids
 * are immutable ids, which do not change when an event is moved to another folder.
 */
export class MicrosoftClient implements AccountClient {
  readonly #graph: GrantedConnection
  readonly #now: () => number

  constructor(options: GrantedOptions) {
    this.#graph = new GrantedConnection(options)
    this.#now = options.now
  }

  listedUntil(): number {
    return endOfView(Math.floor(this.#now() / daySeconds)) * daySeconds
  }

  async listCalendars(): Promise<readonly RemoteCalendar[]> {
    const found: MicrosoftCalendar[] = []
    const query = { $select: 'id,name,canEdit,isDefaultCalendar,owner', $top: '100' }
    for (let path: string | undefined = '/me/calendars'; path !== undefined && found.length <= maxCalendars; ) {
      const page: Page<MicrosoftCalendar> = await this.#get(path, query)
      found.push(...(page.value ?? []))
      path = page['@odata.nextLink']
    }
    // The user's default calendar is listed first.
    found.sort((one, other) => Number(other.isDefaultCalendar ?? false) - Number(one.isDefaultCalendar ?? false))
    return found.map(({ id, name = '', canEdit = false, owner }) => ({
      ...{ ref: id, name, writable: canEdit, owner: owner?.address ?? '' },
    }))
  }

  async readChanges(
    calendar: string,
    { cursor, known, onlyKnown, opening }: ReadChanges,
  ): Promise<CalendarChanges | undefined> {
    const today = Math.floor(this.#now() / daySeconds)
    const [, day = '', link = ''] = /^(\d+) (\S+)$/.exec(cursor ?? '') ?? []
    const isCurrent = link !== '' && Number(day) + stepDays > today
    const changes = isCurrent ? await this.#delta(link, Number(day)) : undefined
    if (changes?.events.size === 0) return undefined
    const versions = await known()
    const isEnough = changes && (onlyKnown || !concernsSeries(changes.events, versions))
    const listed = isEnough ? changes : await this.#delta(viewPath(calendar, today), today)
    if (!listed) throw new CalendarFault('malformed')
    const { events, cursor: next } = listed
    const instances = [...events.values()].filter(({ type }) => type !== 'seriesMaster')
    const wanted = instances.filter(({ id }) => !onlyKnown || versions.has(id))
    const present = wanted.filter((event) => event['@removed'] === undefined)
    const keys = new Set(present.map(({ id }) => id))
    const removed = isEnough
      ? wanted.flatMap((event) => (event['@removed'] && versions.has(event.id) ? event.id : []))
      : [...versions.keys()].filter((key) => !keys.has(key))
    const masters = await this.#masters(present, events, opening)
    const changed = present.flatMap((event) => {
      const item = itemOf(event, masters.get(event.seriesMasterId ?? ''), opening)
      return versions.get(event.id) === item.etag ? [] : [item]
    })
    return { cursor: next, isComplete: !isEnough, changed, removed }
  }

  async readItem(_: string, key: string): Promise<CalendarItem | undefined> {
    if (isIntended(key)) return undefined
    const { body } = await this.#graph.send(withPreferences({ method: 'GET', path: eventPath(key) }), [404, 410])
    const event = body as MicrosoftEvent | undefined
    return event && !event.isCancelled ? itemOf(event, undefined, undefined) : undefined
  }

  async writeEvent(calendar: string, { key, uid, details, etag }: EventToWrite): Promise<StoredEvent | 'changed'> {
    const body = eventBody(details)
    if (etag !== '') return this.#change({ key, etag }, body)
    // An earlier run of the job may have created the event, so it is looked up first.
    const found = await this.#find(calendar, uid)
    if (found) return this.#change(found, body)
    const singleValueExtendedProperties = [{ id: uidPropertyId, value: uid }]
    const path = `${calendarPath(calendar)}/events`
    const create = (transactionId: string, expected: readonly number[]) =>
      this.#graph.send(
        withPreferences({ method: 'POST', path, body: { ...body, transactionId, singleValueExtendedProperties } }),
        expected,
      )
    const created = await create(uid, [409])
    if (created.status !== 409) return placeOf(created.body as MicrosoftEvent)
    // The transaction id may still belong to a deleted event, so a different one is sent. It also begins with the
    // `UID`, because this service recognises its events by the beginning of the transaction id.
    return placeOf((await create(`${uid}#${this.#now()}`, [])).body as MicrosoftEvent)
  }

  async removeEvent(
    calendar: string,
    { key, etag, uid }: EventPlace & Pick<EventToWrite, 'uid'>,
  ): Promise<'removed' | 'changed'> {
    // An event whose creation was not recorded may exist nevertheless, so it is looked up.
    const place = isIntended(key) ? await this.#find(calendar, uid) : { key, etag }
    if (!place) return 'removed'
    const request = withPreferences({ method: 'DELETE', path: eventPath(place.key), headers: ifMatch(place.etag) })
    const { status } = await this.#graph.send(request, [404, 410, 412])
    return status === 412 ? 'changed' : 'removed'
  }

  async watch(calendar: string, { url, secret, expiresAt }: WatchRequest) {
    const { body } = await this.#graph.send({
      method: 'POST',
      path: '/subscriptions',
      body: {
        changeType: 'created,updated,deleted',
        notificationUrl: url,
        resource: `${calendarPath(calendar)}/events`,
        expirationDateTime: new Date(expiresAt * 1_000).toISOString(),
        clientState: secret,
      },
    })
    const { id, expirationDateTime } = Object(body)
    if (typeof id !== 'string' || id === '') throw new CalendarFault('malformed')
    const until = Math.floor(Date.parse(String(expirationDateTime)) / 1_000)
    return { remote: id, expiresAt: Number.isFinite(until) ? until : expiresAt }
  }

  async unwatch({ remote }: RemoteWatch): Promise<void> {
    await this.#graph.send({ method: 'DELETE', path: `/subscriptions/${encodeURIComponent(remote)}` }, [404])
  }

  async #change({ key, etag }: EventPlace, body: object): Promise<StoredEvent | 'changed'> {
    const request = withPreferences({ method: 'PATCH', path: eventPath(key), body, headers: ifMatch(etag) })
    const answer = await this.#graph.send(request, [404, 410, 412])
    return answer.body === undefined ? 'changed' : placeOf(answer.body as MicrosoftEvent)
  }

  /**
   * Returns the key and the etag of the event that this service wrote with the given `UID`; undefined if there is none.
   */
  async #find(calendar: string, uid: string): Promise<EventPlace | undefined> {
    const property = `ep/id eq '${uidPropertyId}' and ep/value eq '${uid.replaceAll("'", "''")}'`
    const page: Page<MicrosoftEvent> = await this.#get(`${calendarPath(calendar)}/events`, {
      $filter: `singleValueExtendedProperties/Any(ep: ${property})`,
      $select: 'id',
    })
    const [event] = page.value ?? []
    return event && placeOf(event)
  }

  /**
   * Returns the series masters of listed instances by id. A master that is not listed is requested separately, and is
   * omitted if it does not exist.
   */
  async #masters(
    present: readonly MicrosoftEvent[],
    events: ReadonlyMap<string, MicrosoftEvent>,
    opening: OpeningRule | undefined,
  ): Promise<ReadonlyMap<string, MicrosoftEvent>> {
    const masters = new Map<string, MicrosoftEvent>()
    const query = { $select: `id,type,isAllDay,showAs${opening ? ',subject,categories,responseStatus' : ''}` }
    for (const id of new Set(present.flatMap(({ seriesMasterId }) => seriesMasterId ?? []))) {
      const listed = events.get(id)
      const request = withPreferences({ method: 'GET', path: eventPath(id), query })
      const master = listed ?? ((await this.#graph.send(request, [404, 410])).body as MicrosoftEvent | undefined)
      if (master) masters.set(id, master)
    }
    return masters
  }

  /**
   * Reads all pages of a calendar view or of its changes; undefined when a stored link is refused, as after its expiry.
   */
  async #delta(
    first: string,
    day: number,
  ): Promise<{ readonly events: ReadonlyMap<string, MicrosoftEvent>; readonly cursor: string } | undefined> {
    const events = new Map<string, MicrosoftEvent>()
    for (let path = first; ; ) {
      const answer = await this.#graph.send(withPreferences({ method: 'GET', path }), [410, 400])
      if (answer.body === undefined) {
        if (first.startsWith('/')) throw new CalendarFault('malformed')
        return undefined
      }
      const page = answer.body as Page<MicrosoftEvent>
      for (const event of page.value ?? []) events.set(event.id, event)
      if (events.size > maxCalendarEvents) throw new CalendarFault('too_many_events')
      const { '@odata.nextLink': next, '@odata.deltaLink': link } = page
      if (next !== undefined) path = next
      else if (link !== undefined) return { events, cursor: `${day} ${link}` }
      else throw new CalendarFault('malformed')
    }
  }

  async #get<Body>(path: string, query: Readonly<Record<string, string>>): Promise<Body> {
    const { body } = await this.#graph.send(withPreferences({ method: 'GET', path, query }))
    return Object(body) as Body
  }
}

const preferences = 'IdType="ImmutableId", outlook.timezone="UTC", odata.maxpagesize=500'

function withPreferences({ headers, ...request }: GrantedRequest): GrantedRequest {
  return { ...request, headers: { ...headers, prefer: preferences } }
}

function calendarPath(calendar: string): string {
  return `/me/calendars/${encodeURIComponent(calendar)}`
}

function eventPath(key: string): string {
  return `/me/events/${encodeURIComponent(key)}`
}

/** Returns the day, counted since 1970-01-01, at whose beginning the listed interval ends. */
function endOfView(today: number): number {
  return today + daysAhead
}

function viewPath(calendar: string, today: number): string {
  const range = {
    startDateTime: `${dateText(today - 1)}T00:00:00Z`,
    endDateTime: `${dateText(endOfView(today))}T00:00:00Z`,
  }
  return `${calendarPath(calendar)}/calendarView/delta?${new URLSearchParams(range)}`
}

/** Whether this service chose the key itself, because it has not recorded the creation of the event on the server. */
function isIntended(key: string): boolean {
  return key.endsWith('.ics')
}

function ifMatch(etag: string): Readonly<Record<string, string>> {
  return etag.startsWith('W/') ? { 'if-match': etag } : {}
}

function placeOf(event: MicrosoftEvent): StoredEvent {
  const { id, '@odata.etag': etag = '', iCalUId, onlineMeeting } = event
  return { key: id, etag, ...(iCalUId && { assignedUid: iCalUId }), ...createdMeeting(onlineMeeting?.joinUrl) }
}

/**
 * Whether listed changes may concern a series. After the change of a series, Graph lists its remaining occurrences but
 * not the deleted ones; of a deleted series, it may list only the master, which is not among the known items.
 */
function concernsSeries(events: ReadonlyMap<string, MicrosoftEvent>, versions: ReadonlyMap<string, string>): boolean {
  return [...events.values()].some((event) =>
    event['@removed'] ? !versions.has(event.id) : event.type === 'seriesMaster' || Boolean(event.seriesMasterId),
  )
}

/**
 * Returns a Microsoft 365 event as a calendar item. The etag of an instance of a series is a digest of the item's
 * content, because a part of that content comes from the series master. A digest also replaces an etag that Graph does
 * not return.
 */
function itemOf(
  event: MicrosoftEvent,
  master: MicrosoftEvent | undefined,
  opening: OpeningRule | undefined,
): CalendarItem {
  const component = componentOf(event, master, opening)
  const digest = createHash('sha256').update(component.lines.join('\n')).digest('base64url')
  const etag = event.seriesMasterId ? undefined : event['@odata.etag']
  return { key: event.id, etag: etag ?? digest, components: [component] }
}
