import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { now, standardSite } from './clinic.ts'
import { type DatabaseKind, databasesHere, type FreshDatabase, freshDatabase } from './databases.ts'
import { pause } from './pause.ts'
import { hangLimit } from './scale.ts'
import { withSentences } from './sentences.ts'
import { type AnyBody, type ApiResponse, type CallOptions, type ServiceProcess, startService } from './service.ts'
import { openSql, type Sql } from './sql.ts'

/** A slot as `GET /availability/get/` lists it; times in Unix seconds. */
export interface AvailableSlot {
  readonly availabilityId: string
  readonly serviceId: string
  readonly providerId: number
  readonly start: number
  readonly end: number
  readonly bookable: boolean
  readonly routingMode: string
  readonly eligibleProviderIds: readonly number[]
  readonly reservationsCount: number
  readonly overrides: Readonly<Record<string, unknown>>
}

/** A reservation as `GET /reservations/get/` lists it with `full=true`; times in Unix seconds. */
export interface FullReservation {
  readonly id: string
  readonly serviceId: string
  readonly customerId: string
  readonly providerId: number
  readonly availabilityId: string
  readonly start: number
  readonly end: number
  readonly status: string
  readonly data: Readonly<Record<string, unknown>>
  readonly created: number
  readonly updated: number
}

/** An event as `GET /events/get/`, the feed of the API, returns it; `createdAt` in Unix seconds. */
export interface ListedEvent {
  readonly id: string
  readonly seq: string
  readonly type: string
  readonly objectId: string
  readonly createdAt: number
  readonly actor: { readonly kind: string; readonly id: string }
  readonly object: Readonly<Record<string, unknown>> | null
  readonly previous: Readonly<Record<string, unknown>> | null
}

/** Selects a slot of a service by provider, date and position. */
export interface SlotSelector {
  readonly service: string
  readonly provider?: number
  /** The date in Berlin; when absent, a date that no other test uses. */
  readonly on?: string
  /** The position of the slot on that date, from 0; 0 when absent. */
  readonly nth?: number
}

/** The fields that a test changes in the body of a booking; `undefined` removes a field from the body. */
export type BookingChange = Readonly<Record<string, unknown>>

/** A running service with the site `standardSite` on a fresh database, with methods for tests of its API. */
export class TestSite {
  readonly server: ServiceProcess
  readonly sql: Sql
  /** The URL of the PostgreSQL database; undefined on SQLite. */
  readonly databaseUrl: string | undefined
  readonly #services: ReadonlyMap<string, string>
  readonly #customers: ReadonlyMap<string, string>
  readonly #remove: () => Promise<void>
  #days = 0

  constructor(parts: {
    readonly server: ServiceProcess
    readonly sql: Sql
    readonly databaseUrl: string | undefined
    readonly services: ReadonlyMap<string, string>
    readonly customers: ReadonlyMap<string, string>
    readonly remove: () => Promise<void>
  }) {
    this.server = parts.server
    this.sql = parts.sql
    this.databaseUrl = parts.databaseUrl
    this.#services = parts.services
    this.#customers = parts.customers
    this.#remove = parts.remove
  }

  service(name: string): string {
    return known(this.#services, name)
  }

  /** Returns the id of the customer Jo, Mia, Max, Kim or Bo; Bo is blocked. */
  customer(name: string): string {
    return known(this.#customers, name)
  }

  /** Returns a date that no other test of this site uses, from 2026-10-06 to 2026-11-14. */
  nextDay(): string {
    this.#days += 1
    assert.ok(this.#days <= 40, 'No days are left; open another site.')
    return Temporal.PlainDate.from('2026-10-05').add({ days: this.#days }).toString()
  }

  get(path: string, query: NonNullable<CallOptions['query']> = {}): Promise<ApiResponse<AnyBody>> {
    return this.server.call('GET', path, { query })
  }

  post(path: string, body: unknown, options: CallOptions = {}): Promise<ApiResponse<AnyBody>> {
    return this.server.call('POST', path, { body, ...options })
  }

  /** Lists the slots of a service, or of all services, on one date in Berlin. */
  async slots({ service, provider, on = this.nextDay() }: Partial<SlotSelector>): Promise<readonly AvailableSlot[]> {
    const answer = await this.server.call<{ response: AvailableSlot[] }>('GET', '/availability/get/', {
      query: {
        ...dayWindow(on),
        ...(service === undefined ? {} : { services: this.service(service) }),
        ...(provider === undefined ? {} : { providers: provider }),
      },
    })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.response
  }

  async slot(selector: SlotSelector): Promise<AvailableSlot> {
    const slots = await this.slots(selector)
    return present(slots[selector.nth ?? 0])
  }

  /** Returns the request body that books a slot. */
  booking(slot: AvailableSlot, change: BookingChange = {}): Record<string, unknown> {
    const { availabilityId, serviceId, providerId, start, end } = slot
    return { serviceId, customerId: this.customer('Jo'), providerId, availabilityId, start, end, ...change }
  }

  add(slot: AvailableSlot, change: BookingChange = {}): Promise<ApiResponse<AnyBody>> {
    return this.post('/reservations/add/', this.booking(slot, change))
  }

  edit(id: string, change: BookingChange): Promise<ApiResponse<AnyBody>> {
    return this.post('/reservations/edit/', { id, ...change })
  }

  remove(id: string): Promise<ApiResponse<AnyBody>> {
    return this.server.call('POST', '/reservations/remove/', { query: { id } })
  }

  /** Books a slot and returns the reservation's id; fails unless the booking succeeds. */
  async book(slot: AvailableSlot, change: BookingChange = {}): Promise<string> {
    const answer = await this.add(slot, change)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.id
  }

  /** Books a slot and returns its reservation; fails unless the booking succeeds. */
  async booked(selector: SlotSelector, change: BookingChange = {}): Promise<FullReservation> {
    return this.reservation(await this.book(await this.slot(selector), change))
  }

  async reservations(query: NonNullable<CallOptions['query']> = {}): Promise<readonly FullReservation[]> {
    const answer = await this.server.call<{ response: FullReservation[] }>('GET', '/reservations/get/', {
      query: { full: true, past: true, ...query },
    })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.response
  }

  async reservation(id: string): Promise<FullReservation> {
    const all = await this.reservations()
    return present(all.find((one) => one.id === id))
  }

  async events(after = ''): Promise<readonly ListedEvent[]> {
    const answer = await this.server.call<{ response: ListedEvent[] }>('GET', '/events/get/', {
      query: { limit: 500, ...(after === '' ? {} : { after }) },
    })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.response
  }

  /** Returns the feed's events of one object once there are at least `expected`; fails after `hangLimit`. */
  async eventsOf(id: string, expected: number): Promise<readonly ListedEvent[]> {
    const until = performance.now() + hangLimit
    for (;;) {
      const found: ListedEvent[] = []
      for (let page = await this.events(); page.length > 0; page = await this.events(page.at(-1)?.seq))
        found.push(...page.filter(({ objectId }) => objectId === id))
      if (found.length >= expected) return found
      assert.ok(performance.now() < until, `${found.length} of ${expected} events of ${id} came.`)
      await pause()
    }
  }

  /** Changes policies of the site by applying a site file. */
  setPolicies(policies: object): Promise<void> {
    return this.server.apply({ site: { ...standardSite.site, policies } })
  }

  /** Changes settings of a service of the standard site by applying a site file. */
  setService(name: string, settings: object): Promise<void> {
    return this.server.apply({ services: [{ key: name, name, ...settings }] })
  }

  /**
   * Reads the rows that a booking may change: reservations, occupancy and assignments, and the number of events except
   * those about API tokens.
   */
  async bookingRows(): Promise<unknown> {
    const [reservations, occupancy, assignments, events] = await Promise.all([
      this.sql('select * from reservation order by id'),
      this.sql('select * from occupancy order by id'),
      this.sql('select * from assignment order by service_id, provider_id'),
      this.sql("select count(*) as events from event where kind <> 'token'"),
    ])
    return { reservations, occupancy, assignments, events }
  }

  /** Runs an action and returns its response; fails if the action changes anything that `bookingRows` reads. */
  async assertUnchanged<T>(act: () => Promise<T>): Promise<T> {
    const before = await this.bookingRows()
    const answer = await act()
    assert.deepEqual(await this.bookingRows(), before)
    return answer
  }

  async close(): Promise<void> {
    await this.sql.close()
    await this.server.stop()
    await this.#remove()
  }
}

/** The options of `openTestSite`. */
export interface TestSiteOptions {
  /** The reservations to add to the site file of the standard site, which has none. */
  readonly reservations?: readonly object[]
  readonly policies?: object
  /** The time at which the service's clock starts, in Unix seconds; the clock of the standard site when absent. */
  readonly now?: number
  readonly env?: Readonly<Record<string, string>>
}

/**
 * Defines the tests of `body` once per kind of database; `open` starts a service with the standard site on a fresh
 * database.
 */
export function onEachDatabase(
  body: (open: (options?: TestSiteOptions) => Promise<TestSite>, kind: DatabaseKind) => void,
): void {
  for (const { kind, skip } of here)
    describe(kind, { skip }, () => body(async (options = {}) => openTestSite(await freshDatabase(kind), options), kind))
}

const here = await databasesHere()

async function openTestSite(fresh: FreshDatabase, options: TestSiteOptions): Promise<TestSite> {
  const { policies = {}, reservations = [], env = {} } = options
  const place: { databaseUrl?: string } = 'databaseUrl' in fresh.at ? { databaseUrl: fresh.at.databaseUrl } : {}
  const site = { ...standardSite, site: { ...standardSite.site, policies }, reservations }
  const settings = { DAYBOOK_LOG_LEVEL: 'error', ...env }
  const server = await startService({ ...place, site, now: options.now ?? now, env: settings })
  const [listed, people] = await Promise.all([
    server.call('GET', '/services/get/'),
    server.call('GET', '/customers/get/'),
  ])
  return new TestSite({
    server,
    sql: openSql({ ...place, dataDir: server.dataDir }),
    databaseUrl: place.databaseUrl,
    services: byName(listed.body),
    customers: byName(people.body),
    remove: fresh.remove,
  })
}

type Offered = readonly Pick<AvailableSlot, 'serviceId' | 'availabilityId'>[]

/**
 * Reads availability until the ids of all slots of each service belong to the same 15 minutes (a time bucket), because
 * slot ids and the picks of `random` routing change from one bucket to the next.
 */
export async function inOneBucket<T extends readonly Offered[]>(read: () => Promise<T>): Promise<T> {
  // The clocks of two services are as far apart as their starts, each of which may take two minutes (see `serve`).
  const until = performance.now() + 120_000
  for (;;) {
    const lists = await read()
    const slots = lists.flat()
    const buckets = new Set(slots.map((slot) => `${slot.serviceId} ${slot.availabilityId.split('.')[0]}`))
    if (buckets.size === new Set(slots.map((slot) => slot.serviceId)).size) return lists
    assert.ok(performance.now() < until, 'Slots of one service keep being shown with ids of two buckets.')
  }
}

/** Returns the slots without their slot ids, which change with the time bucket. */
export function withoutIds(slots: readonly AvailableSlot[]): Omit<AvailableSlot, 'availabilityId'>[] {
  return slots.map(({ availabilityId: _, ...slot }) => slot)
}

/** Returns the query parameters for one date in Berlin, midnight to midnight. */
export function dayWindow(on: string): { min_timestamp: number; max_timestamp: number } {
  const day = Temporal.PlainDate.from(on)
  return { min_timestamp: at(`${day}T00:00`), max_timestamp: at(`${day.add({ days: 1 })}T00:00`) }
}

/** Returns the instant of a wall time in a zone, in Unix seconds. */
export function at(wall: string, zone = 'Europe/Berlin'): number {
  return Temporal.PlainDateTime.from(wall).toZonedDateTime(zone).epochMilliseconds / 1000
}

/** Returns the value; fails when it is undefined. */
export function present<T>(value: T | undefined): T {
  assert.ok(value !== undefined)
  return value
}

/**
 * Asserts that the response is exactly an ErrorEnvelope (the error format of operations) with this status and reason,
 * and with messages about exactly these fields. Responses of the panel's API also contain the messages as data.
 */
export function assertRefused(
  answer: ApiResponse<AnyBody>,
  status: number,
  reason: string,
  fields: readonly string[] = [],
): void {
  assert.equal(answer.status, status, answer.text)
  const { error, details, messages, ...rest } = answer.body
  assert.deepEqual(rest, { status: 'KO', code: status, reason })
  assertSentence(error)
  assert.deepEqual(Object.keys(details ?? {}).sort(), [...fields].sort(), answer.text)
  if (fields.length === 0) assert.equal(details, undefined)
  for (const sentence of Object.values(details ?? {})) assertSentence(sentence)
  if (messages) assert.deepEqual(withSentences(messages), { error, ...(details && { details }) })
}

/**
 * Asserts that the response is a WpRestError (the error format outside of operations, such as of authentication) with
 * exactly this status, code and data.
 */
export function assertRestError(
  answer: ApiResponse<AnyBody>,
  status: number,
  code: string,
  data: Readonly<Record<string, unknown>> = {},
): void {
  assert.equal(answer.status, status, answer.text)
  const { message, messages, ...rest } = answer.body
  assert.deepEqual(rest, { code, data: { status, ...data } })
  assertSentence(message)
  if (messages) assert.equal(Object(withSentences(messages)).error, message)
}

/** Asserts that the response is exactly `{"status":"OK"}`. */
export function assertDone(answer: ApiResponse<AnyBody>): void {
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(answer.body, { status: 'OK' })
}

function assertSentence(text: unknown): void {
  assert.match(String(text), /^[A-Z"“0-9].*[.?!]$/s)
}

function known(ids: ReadonlyMap<string, string>, name: string): string {
  const id = ids.get(name)
  assert.ok(id !== undefined, `The standard site has no ${name}.`)
  return id
}

function byName(list: AnyBody): Map<string, string> {
  return new Map(list.response.map((row) => [String(row.name), row.id]))
}
