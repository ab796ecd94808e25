import { createHash } from 'node:crypto'
import { type ApiRequest, type ChangeNotification, type ChangeSubscription, OAuthStandIn } from './oauth-stand-in.ts'

/** A calendar event as `GoogleStandIn`, a test server, stores it; any field of the Google Calendar API may be set. */
export interface GoogleStandInEvent {
  readonly id: string
  readonly etag: string
  readonly [field: string]: unknown
}

interface Change {
  readonly at: number
  readonly event: GoogleStandInEvent
}

/** A calendar as `GoogleStandIn`, a test server, stores it. */
interface StoredCalendar {
  readonly summary: string
  readonly accessRole: string
  readonly primary?: boolean
  /**
   * The latest state of each event by id, with the position of its last change: a number that grows with each change.
   */
  readonly events: Map<string, Change>
}

const gone = { error: { code: 410, errors: [{ reason: 'fullSyncRequired' }] } }

/**
 * A server that stands in for the Google Calendar API (v3) by its public documentation, for example with sync tokens,
 * pages of events and conditional writes. It proves nothing about Google's servers.
 */
export class GoogleStandIn extends OAuthStandIn {
  readonly calendars = new Map<string, StoredCalendar>()
  /** The query parameter `fields` of each request; empty where a request had none. */
  readonly fields: string[] = []
  /** The maximum number of events on a page of a list. */
  pageSize = 1_000
  /**
   * When the stand-in creates a requested video meeting: with the first request, with a later request for the same
   * meeting, or never.
   */
  meets: 'at_once' | 'later' | 'never' = 'at_once'
  /** The stand-in answers 410 to a sync token below this number, as if the token had expired. */
  expiredBelow = 0
  #position = 1

  static async open(): Promise<GoogleStandIn> {
    const standIn = new GoogleStandIn()
    standIn.clear()
    await standIn.listen()
    return standIn
  }

  /**
   * Removes events, subscriptions and recorded requests, and resets settings except `deliver`; granted access stays
   * valid.
   */
  clear(): void {
    this.reset()
    this.calendars.clear()
    this.calendars.set('ana@example.com', { summary: 'Ana', accessRole: 'owner', primary: true, events: new Map() })
    this.calendars.set('team@group.example', { summary: 'Team', accessRole: 'reader', events: new Map() })
    Object.assign(this, { pageSize: 1_000, expiredBelow: 0, meets: 'at_once' })
    this.fields.length = 0
  }

  /**
   * Stores an event as if the calendar's owner had saved it, reports the change to subscribers, and returns the event.
   */
  put(calendar: string, event: Readonly<Record<string, unknown>> & { readonly id: string }): GoogleStandInEvent {
    const { events } = this.#calendar(calendar)
    this.#position += 1
    const before = events.get(event.id)?.event
    const stored: GoogleStandInEvent = {
      ...{ status: 'confirmed', iCalUID: `${event.id}@google.com`, summary: 'A secret title' },
      organizer: { self: true },
      ...{ created: before?.created ?? '2026-01-01T00:00:00Z', ...event, etag: `"${this.#position}"` },
    }
    events.set(event.id, { at: this.#position, event: stored })
    this.changed(calendar)
    return stored
  }

  /** Deletes an event as if the calendar's owner had deleted it, and reports the change to subscribers. */
  remove(calendar: string, id: string): void {
    this.#position += 1
    const event = { id, status: 'cancelled', etag: `"${this.#position}"` }
    this.#calendar(calendar).events.set(id, { at: this.#position, event })
    this.changed(calendar)
  }

  /** Returns the events of a calendar without deleted ones, except that deleted occurrences of series are included. */
  events(calendar: string): GoogleStandInEvent[] {
    const all = [...this.#calendar(calendar).events.values()].map(({ event }) => event)
    return all.filter(({ status, recurringEventId }) => status !== 'cancelled' || recurringEventId !== undefined)
  }

  #calendar(id: string): StoredCalendar {
    const found = this.calendars.get(id)
    if (!found) throw new Error(`no calendar ${id}`)
    return found
  }

  protected override api({ method, url, headers, body }: ApiRequest): readonly [number, unknown?] {
    this.requests.push(`${method} ${decodeURIComponent(url.pathname)}`)
    this.fields.push(url.searchParams.get('fields') ?? '')
    if (url.pathname === '/calendar/v3/users/me/calendarList') {
      const items = [...this.calendars].map(([id, { summary, accessRole, primary }]) => ({
        ...{ id, summary, accessRole, ...(primary && { primary }) },
      }))
      return [200, { items: items.reverse() }]
    }
    if (url.pathname === '/calendar/v3/channels/stop') {
      const { id, resourceId } = JSON.parse(body)
      return this.subscriptions.delete(`${resourceId} ${id}`) ? [204] : [404, { error: { code: 404 } }]
    }
    const [, watched] = /^\/calendar\/v3\/calendars\/([^/]+)\/events\/watch$/.exec(url.pathname) ?? []
    if (watched !== undefined) return this.#watch(decodeURIComponent(watched), JSON.parse(body))
    const [, encoded = '', id = ''] =
      /^\/calendar\/v3\/calendars\/([^/]+)\/events(?:\/([^/]+))?$/.exec(url.pathname) ?? []
    const calendar = decodeURIComponent(encoded)
    const found = this.calendars.get(calendar)
    if (!found) return [404, { error: { code: 404 } }]
    if (method === 'GET' && id === '') return this.#list(found, url.searchParams)
    const stored = found.events.get(decodeURIComponent(id))?.event
    const match = headers['if-match']
    if (method === 'GET') return stored ? [200, stored] : [404, { error: { code: 404 } }]
    if (match !== undefined && match !== stored?.etag) return [412, { error: { code: 412 } }]
    if (method === 'DELETE') {
      if (!stored) return [404, {}]
      if (stored.status === 'cancelled') return [410, {}]
      this.remove(calendar, stored.id)
      return [204]
    }
    const sent = JSON.parse(body)
    if (method === 'POST') {
      if (!/^[a-v0-9]{5,1024}$/.test(sent.id)) return [400, { error: { code: 400 } }]
      if (found.events.has(sent.id)) return [409, { error: { code: 409, errors: [{ reason: 'duplicate' }] } }]
    } else if (!stored) return [404, { error: { code: 404 } }]
    const conference = this.#conference(url.searchParams, sent, stored)
    return [200, this.put(calendar, { ...sent, ...conference, id: sent.id ?? stored?.id })]
  }

  /**
   * Returns the fields of an event's video meeting: the stored values, unless the request has `conferenceDataVersion=1`
   * and asks for a meeting in Google Meet.
   */
  #conference(
    query: URLSearchParams,
    sent: Readonly<Record<string, unknown>>,
    stored: GoogleStandInEvent | undefined,
  ): object {
    const { conferenceData: before, hangoutLink } = Object(stored)
    const kept = { conferenceData: before, hangoutLink }
    const { createRequest } = Object(sent.conferenceData)
    if (query.get('conferenceDataVersion') !== '1' || !createRequest) return kept
    if (createRequest.conferenceSolutionKey?.type !== 'hangoutsMeet') return kept
    const isKnown = Object(before).createRequest?.requestId === createRequest.requestId
    const isReady = this.meets === 'at_once' || (this.meets === 'later' && isKnown)
    const code = createHash('sha256').update(createRequest.requestId).digest('hex').slice(0, 10)
    return {
      conferenceData: { createRequest: { ...createRequest, status: { statusCode: isReady ? 'success' : 'pending' } } },
      hangoutLink: isReady ? `https://meet.google.com/${code}` : undefined,
    }
  }

  #watch(calendar: string, { id, type, address, token, expiration }: Readonly<Record<string, string>>) {
    const isRight = type === 'web_hook' && /^[\w+/=-]{1,64}$/.test(id ?? '') && address?.startsWith('https://')
    if (!this.calendars.has(calendar) || !isRight) return [400, { error: { code: 400 } }] as const
    const watch = { calendar, address: address ?? '', secret: token ?? '', expiresAt: Number(expiration) / 1_000 }
    this.subscriptions.set(`resource-of-${calendar} ${id}`, watch)
    return [200, { kind: 'api#channel', id, resourceId: `resource-of-${calendar}`, expiration, token }] as const
  }

  protected override report(remote: string, { address, secret }: ChangeSubscription): ChangeNotification {
    const [resource = '', channel = ''] = remote.split(' ')
    const state = { 'x-goog-resource-state': 'exists', 'x-goog-resource-id': resource, 'x-goog-message-number': '2' }
    return { address, headers: { 'x-goog-channel-id': channel, 'x-goog-channel-token': secret, ...state }, body: '' }
  }

  #list({ events }: StoredCalendar, query: URLSearchParams): readonly [number, unknown] {
    const since = Number(query.get('syncToken') ?? 0)
    if (query.has('syncToken') && since < this.expiredBelow) return [410, gone]
    const changed = [...events.values()].filter(({ at }) => at > since)
    const from = Number(query.get('pageToken') ?? 0)
    const items = changed.slice(from, from + this.pageSize).map(({ event }) => event)
    const isLast = from + this.pageSize >= changed.length
    const next = isLast ? { nextSyncToken: String(this.#position) } : { nextPageToken: String(from + this.pageSize) }
    return [200, { items, ...next }]
  }
}
