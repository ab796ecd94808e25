import { randomUUID } from 'node:crypto'
import { type ApiRequest, type ChangeNotification, type ChangeSubscription, OAuthStandIn } from './oauth-stand-in.ts'

/** A calendar event as `MicrosoftStandIn`, a test server, stores it; any field of Microsoft Graph may be set. */
export interface MicrosoftStandInEvent {
  readonly id: string
  readonly '@odata.etag': string
  readonly [field: string]: unknown
}

interface Change {
  readonly at: number
  readonly event: MicrosoftStandInEvent | { readonly id: string; readonly '@removed': object }
}

/**
 * A server that stands in for the calendar API of Microsoft Graph (v1.0) by its public documentation, for example with
 * delta links, pages of events and conditional writes. It proves nothing about Microsoft's servers.
 */
export class MicrosoftStandIn extends OAuthStandIn {
  readonly events = new Map<string, Change>()
  /** The maximum number of events on a page of a list. */
  pageSize = 500
  /** The stand-in answers 410 to a delta link whose token is below this number, as if the link had expired. */
  expiredBelow = 0
  /**
   * The ids of master events that the list of a calendar view leaves out, because their series began before the
   * interval of the view.
   */
  readonly mastersOutside = new Set<string>()
  /**
   * The transaction ids of created events. The documentation does not say whether deleting an event frees its
   * `transactionId`; the stand-in does not free it.
   */
  readonly #transactions = new Set<string>()
  #position = 1

  static async open(): Promise<MicrosoftStandIn> {
    const standIn = new MicrosoftStandIn()
    await standIn.listen()
    return standIn
  }

  /**
   * Removes events, subscriptions and recorded requests, and resets settings except `deliver`; granted access stays
   * valid.
   */
  clear(): void {
    this.reset()
    this.events.clear()
    this.mastersOutside.clear()
    this.#transactions.clear()
    Object.assign(this, { pageSize: 500, expiredBelow: 0 })
  }

  /**
   * Stores an event as if the calendar's owner had saved it, reports the change to subscribers, and returns the event.
   */
  put(event: Readonly<Record<string, unknown>> & { readonly id: string }): MicrosoftStandInEvent {
    this.#position += 1
    const stored: MicrosoftStandInEvent = {
      ...{ type: 'singleInstance', showAs: 'busy', subject: 'A secret title', isAllDay: false, isCancelled: false },
      iCalUId: `040000008200E00074C5B7101A82E008${event.id}`,
      ...event,
      '@odata.etag': `W/"${this.#position}"`,
    }
    this.events.set(event.id, { at: this.#position, event: stored })
    this.changed('AAA=')
    return stored
  }

  /** Deletes an event as if the calendar's owner had deleted it, and reports the change to subscribers. */
  remove(id: string): void {
    this.#position += 1
    this.events.set(id, { at: this.#position, event: { id, '@removed': { reason: 'deleted' } } })
    this.changed('AAA=')
  }

  /**
   * Deletes one occurrence of a series. As with Microsoft Graph, the next list of changes contains the rest of the
   * series and no entry for the deleted occurrence.
   */
  removeOccurrence(id: string): void {
    const seriesMasterId = this.present().find((event) => event.id === id)?.seriesMasterId
    this.events.delete(id)
    for (const event of this.present())
      if (event.id === seriesMasterId || event.seriesMasterId === seriesMasterId) this.put(event)
  }

  /** Returns the events that are not deleted. */
  present(): MicrosoftStandInEvent[] {
    return [...this.events.values()].flatMap(({ event }) => ('@odata.etag' in event ? event : []))
  }

  protected override async api({ method, url, headers, body }: ApiRequest): Promise<readonly [number, unknown?]> {
    this.requests.push(`${method} ${decodeURIComponent(url.pathname)}`)
    if (url.pathname === '/v1.0/subscriptions') return this.#subscribe(JSON.parse(body))
    const [, subscription] = /^\/v1\.0\/subscriptions\/(.+)$/.exec(url.pathname) ?? []
    if (subscription !== undefined) return this.subscriptions.delete(subscription) ? [204] : [404, { error: {} }]
    // The service must send both preferences: without immutable ids, Microsoft Graph changes the id of an event that
    // moves to another calendar; UTC is the zone in which the service reads times.
    if (!/IdType="ImmutableId".*outlook\.timezone="UTC"/.test(String(headers.prefer))) return [400, { error: {} }]
    const path = decodeURIComponent(url.pathname.replace('/v1.0/me', ''))
    if (path === '/calendars') {
      const all = [
        { id: 'BBB=', name: 'Team', canEdit: false, owner: { name: 'Team', address: 'team@example.com' } },
        { id: 'AAA=', name: 'Calendar', canEdit: true, isDefaultCalendar: true, owner: { address: 'ana@example.com' } },
      ]
      const skip = Number(url.searchParams.get('$skip') ?? 0)
      const next = skip === 0 ? { '@odata.nextLink': `${this.url}/v1.0/me/calendars?$skip=1` } : {}
      return [200, { value: all.slice(skip, skip + 1), ...next }]
    }
    if (path === '/calendars/AAA=/calendarView/delta') return this.#delta(url)
    if (path.startsWith('/calendars/BBB='))
      return [200, { value: [], '@odata.deltaLink': `${this.url}${url.pathname}?$deltatoken=0` }]
    if (path === '/calendars/AAA=/events') {
      if (method === 'GET') return [200, { value: this.#sought(url.searchParams.get('$filter') ?? '') }]
      const sent = JSON.parse(body)
      if (this.#transactions.has(sent.transactionId)) return [409, { error: { code: 'ErrorDuplicateTransactionId' } }]
      this.#transactions.add(sent.transactionId)
      return [201, this.put({ ...sent, ...this.#meeting(sent, undefined), id: `AAMk${this.#position}=` })]
    }
    const id = /^\/events\/(.+)$/.exec(path)?.[1] ?? ''
    const stored = this.present().find((event) => event.id === id)
    if (!stored) return [404, { error: { code: 'ErrorItemNotFound' } }]
    if (method === 'GET') return [200, stored]
    const match = headers['if-match']
    if (match !== undefined && match !== stored['@odata.etag']) return [412, { error: {} }]
    if (method === 'PATCH') {
      const sent = JSON.parse(body)
      return [200, this.put({ ...stored, ...sent, ...this.#meeting(sent, stored), id })]
    }
    this.remove(id)
    return [204]
  }

  /**
   * Returns the field `onlineMeeting` of an event: null unless both the stored event and the change have
   * `isOnlineMeeting`. A meeting thus exists from the second such change on, as if its creation took time.
   */
  #meeting(sent: Readonly<Record<string, unknown>>, stored: MicrosoftStandInEvent | undefined): object {
    if (!sent.isOnlineMeeting || !stored?.isOnlineMeeting) return { onlineMeeting: null }
    return { onlineMeeting: { joinUrl: `https://teams.example/meet/${stored.id}` } }
  }

  /**
   * Creates a subscription. Refuses it if the subscriber's address responds to the validation request with any text
   * other than the validation token. While `deliver` is undefined, no validation request is sent.
   */
  async #subscribe(sent: Readonly<Record<string, string>>): Promise<readonly [number, unknown?]> {
    const { changeType, notificationUrl = '', resource = '', expirationDateTime = '', clientState = '' } = sent
    const calendar = /^\/me\/calendars\/([^/]+)\/events$/.exec(decodeURIComponent(resource))?.[1]
    const expiresAt = Date.parse(expirationDateTime) / 1_000
    if (calendar === undefined || changeType !== 'created,updated,deleted' || !notificationUrl.startsWith('https://'))
      return [400, { error: { code: 'InvalidRequest' } }]
    const token = 'Validation: Testing client application reachability <b>& more'
    const address = `${notificationUrl}?validationToken=${encodeURIComponent(token)}`
    const returned = await this.deliver?.({ address, headers: {}, body: '' })
    if (returned !== undefined && returned !== token) return [400, { error: { code: 'ValidationError' } }]
    const id = randomUUID()
    this.subscriptions.set(id, { calendar, address: notificationUrl, secret: clientState, expiresAt })
    return [201, { id, expirationDateTime }]
  }

  protected override report(remote: string, { address, secret, calendar }: ChangeSubscription): ChangeNotification {
    const change = { subscriptionId: remote, clientState: secret, changeType: 'updated', resource: calendar }
    return { address, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ value: [change] }) }
  }

  /** Returns the events that have the extended property and value which a `$filter` expression names. */
  #sought(filter: string): MicrosoftStandInEvent[] {
    const [, id, value] = /ep\/id eq '([^']+)' and ep\/value eq '([^']+)'/.exec(filter) ?? []
    return this.present().filter((event) =>
      Array.from(Object(event.singleValueExtendedProperties ?? [])).some(
        (property) => Object(property).id === id && Object(property).value === value,
      ),
    )
  }

  #delta(url: URL): readonly [number, unknown] {
    const query = url.searchParams
    const since = Number(query.get('$deltatoken') ?? 0)
    const isFirst = query.has('startDateTime')
    // The real server stores the interval of the view in its tokens.
    const until = query.get('endDateTime') ?? query.get('until') ?? ''
    if (!isFirst && !query.has('$skiptoken') && since < this.expiredBelow)
      return [410, { error: { code: 'syncStateNotFound' } }]
    const [after = 0, from = 0] = (query.get('$skiptoken') ?? `${since}-0`).split('-').map(Number)
    // The first list of a calendar view contains no entries for events that were deleted before.
    const changed = [...this.events.values()].filter(
      ({ at, event }) => at > after && (after > 0 || !('@removed' in event)) && !this.mastersOutside.has(event.id),
    )
    const inView = changed.filter(({ event }) => !('start' in event) || String(Object(event.start).dateTime) < until)
    const value = inView.slice(from, from + this.pageSize).map(({ event }) => shortened(event))
    const link = (name: string, token: string) => `${this.url}${url.pathname}?${name}=${token}&until=${until}`
    const next =
      from + this.pageSize < inView.length
        ? { '@odata.nextLink': link('$skiptoken', `${after}-${from + this.pageSize}`) }
        : { '@odata.deltaLink': link('$deltatoken', String(this.#position)) }
    return [200, { value, ...next }]
  }
}

/**
 * Returns an event as a list of changes contains it: of an occurrence only the ids, the type, the times and the ETag,
 * because the other fields are those of its series.
 */
function shortened(event: Change['event']): object {
  if (!('type' in event) || event.type !== 'occurrence') return event
  const { id, type, seriesMasterId, start, end } = event
  return { id, type, seriesMasterId, start, end, '@odata.etag': event['@odata.etag'] }
}
