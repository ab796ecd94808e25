import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { AvailabilityCache } from '../../src/availability/cache/availability-cache.ts'
import { type AccountSecret, accountPlace, type CalendarAccount } from '../../src/calendars/accounts/account.ts'
import { findAccount } from '../../src/calendars/accounts/accounts.sql.ts'
import { findCalendarsJob } from '../../src/calendars/accounts/find-calendars.job.ts'
import { type Blocking, type ConnectedCalendar, calendarPlace, defaultBlocking } from '../../src/calendars/calendar.ts'
import { findCalendar } from '../../src/calendars/calendars.sql.ts'
import { compareJob } from '../../src/calendars/destinations/compare.job.ts'
import { writeEventJob } from '../../src/calendars/destinations/write-event.job.ts'
import {
  appPlace,
  callbackPath,
  type GrantKind,
  type GrantSecret,
  type GrantUrls,
} from '../../src/calendars/oauth/oauth.ts'
import type { OpeningRule } from '../../src/calendars/openings/opening-rule.ts'
import { queueSyncs } from '../../src/calendars/sync/plan-syncs.job.ts'
import { type CalendarJobs, calendarSyncJob } from '../../src/calendars/sync/sync.job.ts'
import type { InputOf, Outcome, ResultOf } from '../../src/db/perform/app.ts'
import { decrypt, encrypt, type KeyRing } from '../../src/encryption.ts'
import { parseNetworks } from '../../src/http/outbound/address.ts'
import { OutboundClient } from '../../src/http/outbound/outbound-client.ts'
import { newId } from '../../src/ids.ts'
import { relayEvents } from '../../src/jobs/event-relay.ts'
import { JobRunner } from '../../src/jobs/runner.ts'
import type { Operations, operations } from '../../src/operations.ts'
import type { Invalidation } from '../../src/scheduling/invalidation.ts'
import { toInstant, wallTime } from '../../src/scheduling/time/zone.ts'
import type { OpenStorage } from '../../src/server/open.ts'
import { ana, now as clinicNow, standardSite } from '../support/clinic.ts'
import { contextWith, type DatabaseKind, type FreshDatabase, freshDatabase, openStorage } from '../support/databases.ts'
import { password, user } from '../support/radicale.ts'
import { createStandInServer } from '../support/stand-in-server.ts'
import type { AvailableSlot } from '../support/test-site.ts'

const table = new URL('../../src/operations.ts', import.meta.url)

/** The members of a calendar system's stand-in (a test server) with which a test grants access to an account. */
interface GrantingServer {
  readonly clientId: string
  readonly clientSecret: string
  grantAccess(challenge: string, redirectUri: string): string
}

/** The encryption key of the tests of calendars. */
const keys: KeyRing = [Buffer.alloc(32, 7)]
const berlin = 'Europe/Berlin'

/**
 * Runs the operations and jobs of connected calendars in the test process, on the standard site, with a clock that the
 * test sets.
 */
export class CalendarTestSite {
  now = clinicNow
  /** Milliseconds after which a request to a calendar system is given up; a test shortens them to see that happen. */
  timeout = 120_000
  readonly storage: OpenStorage<Operations>
  readonly #invalidated: Invalidation[]
  #mark = 0
  readonly cache: AvailabilityCache
  readonly #fresh: FreshDatabase
  readonly #client: OutboundClient
  readonly #runner: JobRunner
  /** The dependencies of the jobs, with which a test opens an account as they do. */
  readonly opening: CalendarJobs

  private constructor(parts: {
    readonly storage: OpenStorage<Operations>
    readonly fresh: FreshDatabase
    readonly invalidated: Invalidation[]
    readonly cache: AvailabilityCache
    readonly networks: string
    readonly grantUrls: Partial<GrantUrls>
  }) {
    this.storage = parts.storage
    this.#fresh = parts.fresh
    this.#invalidated = parts.invalidated
    this.cache = parts.cache
    this.#client = new OutboundClient({ allowed: parseNetworks(parts.networks) })
    const jobs = {
      ...{ app: this.app, client: this.#client, findKey: async () => keys, version: 'test' },
      origin: () => 'https://clinic.example:8443',
      grantUrls: { google: '', microsoft: '', ...parts.grantUrls },
    }
    Object.defineProperty(jobs, 'timeout', { enumerable: true, get: () => this.timeout })
    this.opening = jobs
    const handlers = [calendarSyncJob(jobs), findCalendarsJob(jobs), writeEventJob(jobs), compareJob(jobs)]
    this.#runner = new JobRunner({ app: this.app, handlers, schedules: [], alone: false })
  }

  static async open(
    kind: DatabaseKind,
    {
      networks = '127.0.0.0/8',
      grantUrls = {},
    }: { readonly networks?: string; readonly grantUrls?: Partial<GrantUrls> } = {},
  ): Promise<CalendarTestSite> {
    const fresh = await freshDatabase(kind)
    const invalidated: Invalidation[] = []
    let cache: AvailabilityCache | undefined
    const storage = await openStorage<typeof operations>({
      at: fresh.at,
      operations: table,
      onInvalidation: (changes) => {
        invalidated.push(...changes)
        cache?.invalidate(changes)
      },
    })
    cache = new AvailabilityCache(storage.db, { maxBytes: 2 ** 24, isFresh: () => storage.applied.isFresh() })
    const site = new CalendarTestSite({ storage, fresh, invalidated, cache, networks, grantUrls })
    await site.perform('site.prepare', { siteUrl: '' })
    await site.perform('site.apply', standardSite as never)
    return site
  }

  get app() {
    const silent = () => {}
    return { ...this.storage, now: () => this.now, log: { info: silent, warn: silent, error: silent } }
  }

  /** Performs a write and returns its result; fails when the write is refused. */
  async perform<N extends keyof Operations & string>(name: N, input: InputOf<Operations, N>) {
    const outcome = await this.attempt(name, input)
    assert.ok('ok' in outcome, JSON.stringify(outcome))
    return outcome.ok
  }

  attempt<N extends keyof Operations & string>(
    name: N,
    input: InputOf<Operations, N>,
  ): Promise<Outcome<ResultOf<Operations, N>>> {
    return this.storage.perform(name, input, contextWith({ now: this.now }))
  }

  /** Connects a calendar file at a URL, by default to Ana, and reads it; returns the calendar's id. */
  async connect(
    url: string,
    more: { readonly blocking?: Blocking; readonly opening?: OpeningRule; readonly providerId?: number } = {},
  ): Promise<string> {
    const { blocking = defaultBlocking, opening = null, providerId = ana } = more
    const id = newId('calendar')
    const sealed = encrypt(keys, JSON.stringify({ url }), calendarPlace(id))
    const host = new URL(url).host
    const calendar = { id, providerId, kind: 'ics', name: 'Private', host, sealed, blocking, opening } as const
    await this.perform('calendars.connect', calendar)
    await this.runDueJobs()
    return id
  }

  /** Returns the address of a calendar, encrypted as the calendar's secret, and the host of the address. */
  sealed(id: string, url: string) {
    return { sealed: this.sealedText(id, JSON.stringify({ url })), host: new URL(url).host }
  }

  /** Returns a text, encrypted as a calendar's secret. */
  sealedText(id: string, text: string): string {
    return encrypt(keys, text, calendarPlace(id))
  }

  /** Connects a CalDAV account, by default to Ana, and lists its calendars; returns the account's id. */
  async connectAccount(
    url: string,
    credentials: Partial<Omit<AccountSecret, 'url'>> = {},
    providerId = ana,
  ): Promise<string> {
    const id = newId('calendar_account')
    const account = { kind: 'caldav', login: user, ...this.sealedAccount(id, url, credentials) } as const
    await this.perform('calendars.accounts.connect', { id, providerId, ...account })
    await this.runDueJobs()
    return id
  }

  /** Connects an account of Google or Microsoft as if the user had agreed there; returns the account's id. */
  async connectGranted(kind: GrantKind, system: GrantingServer, providerId = ana): Promise<string> {
    const sealed = encrypt(keys, system.clientSecret, appPlace(kind))
    await this.perform('calendars.apps.set', { kind, app: { clientId: system.clientId, sealed } })
    const id = newId('calendar_account')
    const account = { id, providerId, kind, login: '', host: `${kind}.example` }
    await this.perform('calendars.accounts.connect', { ...account, sealed: this.#sealedGrant(id, system) })
    await this.runDueJobs()
    return id
  }

  /** Signs in to a connected account of Google or Microsoft again, and runs no job. */
  async signInAgain(id: string, system: GrantingServer): Promise<void> {
    const { host } = await this.account(id)
    await this.perform('calendars.accounts.edit', { id, login: '', host, sealed: this.#sealedGrant(id, system) })
  }

  #sealedGrant(id: string, system: GrantingServer): string {
    const verifier = randomBytes(32).toString('base64url')
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const redirectUri = `https://clinic.example:8443${callbackPath}`
    const secret: GrantSecret = { code: system.grantAccess(challenge, redirectUri), verifier, redirectUri }
    return encrypt(keys, JSON.stringify(secret), accountPlace(id))
  }

  /** Returns the decrypted secret of an account. */
  async secretOf(id: string): Promise<GrantSecret> {
    return JSON.parse(decrypt(keys, (await this.account(id)).sealed, accountPlace(id)))
  }

  /** Returns the credentials of a CalDAV account, encrypted as the account's secret, and the host of its address. */
  sealedAccount(id: string, url: string, credentials: Partial<Omit<AccountSecret, 'url'>> = {}) {
    const secret: AccountSecret = { url, user, password, ...credentials }
    return { sealed: encrypt(keys, JSON.stringify(secret), accountPlace(id)), host: new URL(url).host }
  }

  async account(id: string): Promise<CalendarAccount> {
    return (await findAccount(this.storage.db, id)) ?? assert.fail(id)
  }

  /**
   * Runs the due jobs that read and write calendars. Before each of four rounds, passes new events to the code that
   * queues jobs for them, so that the jobs which one round causes run as well.
   */
  async runDueJobs(): Promise<void> {
    await queueSyncs(this.app)
    for (let round = 0; round < 4; round += 1) {
      await relayEvents(this.app)
      await this.#runner.runDue()
    }
  }

  /** Moves the clock forward and runs the jobs that are due then. */
  async pass(seconds: number): Promise<void> {
    this.now += seconds
    await this.runDueJobs()
  }

  async calendar(id: string): Promise<ConnectedCalendar> {
    return (await findCalendar(this.storage.db, id)) ?? assert.fail(id)
  }

  /** Returns the wall times of Berlin at which slots of the service `long` start on a date, from the cache of availability. */
  async starts(date: string, providerId = ana): Promise<string[]> {
    return (await this.slots(date, providerId)).map(({ start }) => wallTime(berlin, start).slice(11))
  }

  /** Returns the slots of a service on a date, from the cache of availability. */
  async slots(date: string, providerId = ana, service = 'long'): Promise<readonly AvailableSlot[]> {
    await this.storage.applied.caughtUp()
    const from = at(`${date}T00:00`)
    const query = {
      from,
      until: from + 86_400,
      now: this.now,
      serviceIds: [await this.service(service)],
      providerIds: [providerId],
    }
    const list = await this.cache.list(query)
    assert.ok('pieces' in list, 'a list that is not streamed')
    return JSON.parse(`[${Buffer.concat(list.pieces).toString()}]`)
  }

  /** Books, for Jo with Ana, the slot that starts at a wall time of Berlin; returns the id of the reservation. */
  async book(date: string, time: string, service = 'long'): Promise<string> {
    const slots = await this.slots(date, ana, service)
    const slot = slots.find(({ start }) => start === at(`${date}T${time}`)) ?? assert.fail(`${date} ${time}`)
    const { availabilityId, serviceId, providerId, start, end } = slot
    const booking = { availabilityId, serviceId, providerId, start, end, customerId: await this.customer() }
    return (await this.perform('reservations.add', booking)).id
  }

  async service(name: string): Promise<string> {
    const rows = await this.storage.db.build.selectFrom('service').select(['id', 'name']).execute()
    return rows.find((row) => row.name === name)?.id ?? assert.fail(name)
  }

  async customer(name = 'Jo'): Promise<string> {
    const rows = await this.storage.db.build.selectFrom('customer').select(['id', 'name']).execute()
    return rows.find((row) => row.name === name)?.id ?? assert.fail(name)
  }

  /** Returns the times that calendars block, each as `start end` in wall time of Berlin. */
  async busy(): Promise<string[]> {
    const rows = await this.storage.db.build
      .selectFrom('busy')
      .selectAll()
      .where('source', '=', 'calendar')
      .orderBy('start_at')
      .execute()
    return rows.map(({ start_at, end_at }) => `${wallTime(berlin, start_at)} ${wallTime(berlin, end_at).slice(11)}`)
  }

  /**
   * Makes `invalidations` return only the invalidations of later commits: the subjects, such as providers, and days
   * whose cached slots a commit makes stale.
   */
  async forgetInvalidations(): Promise<void> {
    const rows = await this.#invalidationRows()
    this.#mark = rows.at(-1)?.id ?? this.#mark
    this.#invalidated.length = 0
  }

  /**
   * Returns the invalidations of commits since `forgetInvalidations`; on PostgreSQL from the table, because nodes may
   * read an entry twice.
   */
  async invalidations(): Promise<readonly Invalidation[]> {
    if (this.storage.db.dialect.name === 'sqlite') return this.#invalidated
    return (await this.#invalidationRows()).map((row) => ({
      subject: row.subject,
      firstDay: Number(row.first_day),
      lastDay: Number(row.last_day),
    }))
  }

  async #invalidationRows() {
    if (this.storage.db.dialect.name === 'sqlite') return []
    const { rows } = await sql<{ id: number; subject: Invalidation['subject']; first_day: number; last_day: number }>`
      select id, subject, first_day, last_day from invalidation where id > ${this.#mark} order by id`.execute(
      this.storage.db.build,
    )
    return rows
  }

  /** Disconnects all accounts and calendars, removes all reservations, and sets the clock to its start. */
  async clear(): Promise<void> {
    const { build } = this.storage.db
    for (const { id } of await build.selectFrom('calendar_account').select('id').execute())
      await this.perform('calendars.accounts.remove', { id })
    for (const { id } of await build.selectFrom('connected_calendar').select('id').execute())
      await this.perform('calendars.remove', { id })
    for (const { id } of await build.selectFrom('reservation').select('id').execute())
      await this.perform('reservations.remove', { id })
    this.now = clinicNow
  }

  async close(): Promise<void> {
    await this.#client.close()
    await this.storage.close()
    await this.#fresh.remove()
  }
}

/** Returns the instant of a wall time of Berlin, in Unix seconds. */
export function at(text: string): number {
  return toInstant(berlin, text) ?? assert.fail(text)
}

/** Returns an iCalendar file of events, each given as `UID start end [more lines…]` with times in Berlin. */
export function calendarFile(...events: readonly (readonly string[])[]): string {
  const lines = events.flatMap(([uid = '', start = '', end = '', ...more]) => [
    ...['BEGIN:VEVENT', `UID:${uid}`, `DTSTAMP:20260101T000000Z`, 'SUMMARY:A secret title'],
    ...[`DTSTART;TZID=Europe/Berlin:${start}`, `DTEND;TZID=Europe/Berlin:${end}`, ...more, 'END:VEVENT'],
  ])
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Test//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n')
}

/** An HTTP server on this machine that serves iCalendar files. */
export interface CalendarServer {
  readonly url: string
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly status: number }[]
  /** The content of the iCalendar file, or a function that answers the request instead. */
  answer: string | ((response: ServerResponse, path: string) => void)
  close(): Promise<void>
}

/** Starts a server of an iCalendar file that sends an `ETag`, and answers 304 when the file has not changed. */
export async function startCalendarServer(content = calendarFile()): Promise<CalendarServer> {
  const server = createStandInServer((request, response) => {
    const path = request.url ?? ''
    response.on('close', () => started.requests.push({ path, headers: request.headers, status: response.statusCode }))
    if (typeof started.answer !== 'string') {
      started.answer(response, path)
      return
    }
    const etag = `"${Buffer.from(started.answer).toString('base64').length}-${started.answer.length}-${hash(started.answer)}"`
    const isSame = request.headers['if-none-match'] === etag
    response.writeHead(isSame ? 304 : 200, { ETag: etag, 'Content-Type': 'text/calendar' })
    response.end(isSame ? undefined : started.answer)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const started: CalendarServer = {
    url: `http://127.0.0.1:${port}/private.ics`,
    requests: [],
    answer: content,
    async close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return started
}

function hash(text: string): number {
  let sum = 0
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 4_294_967_291
  return sum
}
