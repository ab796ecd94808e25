import { createHash } from 'node:crypto'
import {
  type AccountClient,
  type CalendarChanges,
  type CalendarItem,
  createdMeeting,
  type EventPlace,
  type EventToWrite,
  type ReadChanges,
  type RemoteCalendar,
  type RemoteWatch,
  type StoredEvent,
  type WatchRequest,
} from '../accounts/account-client.ts'
import { CalendarFault } from '../calendar-fault.ts'
import { maxCalendarEvents } from '../calendar-limits.ts'
import { GrantedConnection, type GrantedOptions } from '../oauth/granted-connection.job.ts'
import type { OpeningRule } from '../openings/opening-rule.ts'
import { componentOf, eventBody, eventFields, type GoogleEvent, isGone } from './google-event.ts'

const eventsAtOnce = 1_000
const calendarsAtOnce = 250
/** When more calendars of a Google account than this have been listed, no further page of calendars is requested. */
const maxCalendars = 1_000

interface EventPage {
  readonly items?: readonly GoogleEvent[]
  readonly nextPageToken?: string
  readonly nextSyncToken?: string
}

interface CalendarPage {
  readonly items?: readonly {
    readonly id: string
    readonly summary?: string
    readonly summaryOverride?: string
    readonly accessRole?: string
    readonly primary?: boolean
  }[]
  readonly nextPageToken?: string
}

/**
 * An account on Google Calendar (API v3). A calendar is read incrementally with its sync token, and completely when
 * there is no token or it has expired. Series are read as recurrence rules with their exceptions, and expanded by this
 * service.
 */
export class GoogleClient implements AccountClient {
  readonly #google: GrantedConnection

  constructor(options: GrantedOptions) {
    this.#google = new GrantedConnection(options)
  }

  async listCalendars(): Promise<readonly RemoteCalendar[]> {
    const found: (RemoteCalendar & { readonly isPrimary: boolean })[] = []
    for (let pageToken: string | undefined; found.length <= maxCalendars; ) {
      const fields = 'nextPageToken,items(id,summary,summaryOverride,accessRole,primary)'
      const query = { minAccessRole: 'reader', maxResults: String(calendarsAtOnce), fields }
      const path = '/users/me/calendarList'
      const { body } = await this.#google.send({ method: 'GET', path, query: { ...query, ...paged(pageToken) } })
      const page = body as CalendarPage
      for (const { id, summary = id, summaryOverride = summary, accessRole = '', primary = false } of page.items ?? [])
        found.push({ ref: id, name: summaryOverride, writable: /owner|writer/.test(accessRole), isPrimary: primary })
      pageToken = page.nextPageToken
      if (pageToken === undefined) break
    }
    // The user's primary calendar is listed first.
    const sorted = found.sort((one, other) => Number(other.isPrimary) - Number(one.isPrimary))
    return sorted.map(({ ref, name, writable }) => ({ ref, name, writable }))
  }

  async readChanges(
    calendar: string,
    { cursor, known, onlyKnown, opening }: ReadChanges,
  ): Promise<CalendarChanges | undefined> {
    const changes = cursor === undefined ? undefined : await this.#list(calendar, cursor, opening)
    const listed = changes ?? (await this.#list(calendar, undefined, opening))
    // A request without a sync token cannot be refused because of an expired token, so such a response is invalid.
    if (!listed) throw new CalendarFault('malformed')
    const { events, cursor: next } = listed
    const isComplete = changes === undefined
    if (!isComplete && events.size === 0) return undefined
    const versions = await known()
    const wanted = [...events.values()].filter(({ id }) => !onlyKnown || versions.has(id))
    const present = wanted.filter((event) => !isGone(event))
    const keys = new Set(present.map(({ id }) => id))
    const removed = isComplete
      ? [...versions.keys()].filter((key) => !keys.has(key))
      : wanted.flatMap((event) => (isGone(event) && versions.has(event.id) ? event.id : []))
    const changed = present
      .filter(({ id, etag = '' }) => versions.get(id) !== etag)
      .map((event) => itemOf(event, opening))
    return { cursor: next, isComplete, changed, removed }
  }

  async readItem(calendar: string, key: string): Promise<CalendarItem | undefined> {
    const event = await this.#find(calendar, idOf(key))
    return event && !isGone(event) ? itemOf(event, undefined) : undefined
  }

  async writeEvent(calendar: string, event: EventToWrite): Promise<StoredEvent | 'changed'> {
    const { key, uid, details, etag } = event
    const id = idOf(key)
    const body = eventBody(details, uid)
    if (etag !== '') return this.#replace(calendar, { id, body, etag })
    const created = await this.#google.send(
      { method: 'POST', path: eventsPath(calendar), query: writing(body), body: { id, ...body } },
      [409],
    )
    if (created.status !== 409) return placeOf(created.body as GoogleEvent)
    // The id, which `idOf` derives from the key, is already in use. An existing event with this id is reported as
    // changed, so that it is not overwritten. A deleted event retains its id, so it is restored with the new content.
    const found = await this.#find(calendar, id)
    if (found && !isGone(found)) return 'changed'
    return this.#replace(calendar, { id, body, etag: found?.etag ?? '' })
  }

  async removeEvent(calendar: string, { key, etag }: EventPlace): Promise<'removed' | 'changed'> {
    const path = `${eventsPath(calendar)}/${encodeURIComponent(idOf(key))}`
    const request = { method: 'DELETE', path, query: { sendUpdates: 'none' }, headers: ifMatch(etag) } as const
    const { status } = await this.#google.send(request, [404, 410, 412])
    return status === 412 ? 'changed' : 'removed'
  }

  async watch(calendar: string, { url, channel, secret, expiresAt }: WatchRequest) {
    const { body } = await this.#google.send({
      method: 'POST',
      path: `${eventsPath(calendar)}/watch`,
      body: { id: channel, type: 'web_hook', address: url, token: secret, expiration: String(expiresAt * 1_000) },
    })
    const { resourceId, expiration } = Object(body)
    if (typeof resourceId !== 'string' || resourceId === '') throw new CalendarFault('malformed')
    const until = Math.floor(Number(expiration) / 1_000)
    return { remote: resourceId, expiresAt: Number.isFinite(until) ? until : expiresAt }
  }

  async unwatch({ channel, remote }: RemoteWatch): Promise<void> {
    const body = { id: channel, resourceId: remote }
    await this.#google.send({ method: 'POST', path: '/channels/stop', body }, [404])
  }

  async #replace(
    calendar: string,
    { id, body, etag }: { readonly id: string; readonly body: object; readonly etag: string },
  ): Promise<StoredEvent | 'changed'> {
    const path = `${eventsPath(calendar)}/${encodeURIComponent(id)}`
    const request = { method: 'PUT', path, query: writing(body), body, headers: ifMatch(etag) } as const
    const answer = await this.#google.send(request, [404, 410, 412])
    return answer.body === undefined ? 'changed' : placeOf(answer.body as GoogleEvent)
  }

  async #find(calendar: string, id: string): Promise<GoogleEvent | undefined> {
    const path = `${eventsPath(calendar)}/${encodeURIComponent(id)}`
    const request = { method: 'GET', path, query: { fields: eventFields(undefined) } } as const
    const { body } = await this.#google.send(request, [404, 410])
    return body as GoogleEvent | undefined
  }

  /**
   * Lists the events of a calendar that changed since a sync token, or all events; undefined when Google refuses the
   * token.
   */
  async #list(
    calendar: string,
    since: string | undefined,
    opening: OpeningRule | undefined,
  ): Promise<{ readonly events: ReadonlyMap<string, GoogleEvent>; readonly cursor: string } | undefined> {
    const events = new Map<string, GoogleEvent>()
    const query = {
      maxResults: String(eventsAtOnce),
      showDeleted: 'true',
      singleEvents: 'false',
      fields: `nextPageToken,nextSyncToken,items(${eventFields(opening)})`,
      ...(since !== undefined && { syncToken: since }),
    }
    for (let pageToken: string | undefined; ; ) {
      const request = { method: 'GET', path: eventsPath(calendar), query: { ...query, ...paged(pageToken) } } as const
      const { status, body } = await this.#google.send(request, since === undefined ? [] : [410, 400])
      if (status === 410 || status === 400) return undefined
      const { items = [], nextPageToken, nextSyncToken } = body as EventPage
      for (const event of items) events.set(event.id, event)
      if (events.size > maxCalendarEvents) throw new CalendarFault('too_many_events')
      pageToken = nextPageToken
      if (pageToken !== undefined) continue
      if (nextSyncToken === undefined) throw new CalendarFault('malformed')
      return { events, cursor: nextSyncToken }
    }
  }
}

/**
 * Returns the query parameters for writing an event. Without `conferenceDataVersion`, Google neither creates nor
 * changes online meetings.
 */
function writing(body: object) {
  const meets = 'conferenceData' in body
  return {
    sendUpdates: 'none',
    fields: `id,etag,iCalUID${meets ? ',hangoutLink' : ''}`,
    ...(meets && { conferenceDataVersion: '1' }),
  }
}

function eventsPath(calendar: string): string {
  return `/calendars/${encodeURIComponent(calendar)}/events`
}

function paged(pageToken: string | undefined): Readonly<Record<string, string>> {
  return pageToken === undefined ? {} : { pageToken }
}

function ifMatch(etag: string): Readonly<Record<string, string>> {
  return etag === '' ? {} : { 'if-match': etag }
}

function placeOf({ id, etag = '', iCalUID, hangoutLink }: GoogleEvent): StoredEvent {
  return { key: id, etag, ...(iCalUID !== undefined && { assignedUid: iCalUID }), ...createdMeeting(hangoutLink) }
}

function itemOf(event: GoogleEvent, opening: OpeningRule | undefined): CalendarItem {
  return { key: event.id, etag: event.etag ?? '', components: [componentOf(event, opening)] }
}

/**
 * Returns the Google event id for a key. A key that is not a valid id was chosen by this service before the event was
 * created; it is hashed, so that every run of a job writes the same event.
 */
function idOf(key: string): string {
  return /^[a-v0-9]{5,1024}(?:_[0-9TZ]+)?$/.test(key) ? key : createHash('sha256').update(key).digest('hex')
}
