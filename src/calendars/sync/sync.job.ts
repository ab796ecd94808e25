import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { resultOf } from '../../db/perform/outcome.ts'
import { workerContext } from '../../db/perform/worker-context.ts'
import { findDecrypted } from '../../encryption.ts'
import type { JobHandler, JobRun } from '../../jobs/job.ts'
import type { Daybook } from '../../operations.ts'
import type { Interval } from '../../scheduling/time/interval.ts'
import { maxWindowDays } from '../accounts/account-client.ts'
import type { AccountOpening } from '../accounts/account-opening.job.ts'
import type { ItemChanges } from '../accounts/items.sql.ts'
import {
  blocksTime,
  type CalendarSecret,
  type ConnectedCalendar,
  calendarPlace,
  laneOf,
  type ReadContent,
  reservationOfUid,
  syncLanes,
} from '../calendar.ts'
import { CalendarFault } from '../calendar-fault.ts'
import { syncKind } from '../calendars.operations.ts'
import { listDue, listKnownReservations, type ReadRevision } from '../calendars.sql.ts'
import { listAssignedUids } from '../destinations/events.sql.ts'
import type { CalendarContent } from '../ics/calendar-content.job.ts'
import { openingsFrom, type ReadOpenings } from '../openings/openings.ts'

/** The dependencies of the jobs that read and write calendars of other systems. */
export interface CalendarJobs extends AccountOpening {
  /** Returns the public origin of the service. */
  origin(): string
  readonly app: Pick<Daybook, 'db' | 'now' | 'perform' | 'log'>
}

// The maximum number of calendars of one lane (a group of hosts, see `laneOf`) that are read concurrently.
const concurrency = 8
// When at least this many calendars have been read and found unchanged, the results are recorded with one write.
const recordedAtOnce = 50

/** Increased when events are expanded differently, so that an upgrade expands those of every calendar again. */
const expansionVersion = 4

/**
 * The first version that stores no opening for an invitation that the owner of the calendar has not accepted, sent to
 * the owner or to a group.
 */
const acceptanceVersion = 4

/** Returns the handler of the jobs that read connected calendars. */
export function calendarSyncJob(jobs: CalendarJobs): JobHandler {
  return {
    kind: syncKind,
    concurrency: syncLanes,
    maxAttempts: 1_000,
    outbound: true,
    async run(payload, run) {
      const { lane } = payload as { readonly lane: number }
      const due = (await listDue(jobs.app.db, jobs.app.now())).filter(({ host }) => laneOf(host) === lane)
      const reading = new Reading(jobs, run)
      await Promise.all(Array.from({ length: concurrency }, () => reading.readAll(due)))
      await reading.recordUnchanged()
      reading.throwUnexpected()
      return 'done'
    },
  }
}

/** Reads the due calendars of one run of a job. */
class Reading {
  readonly #jobs: CalendarJobs
  readonly #run: JobRun
  #unchanged: ReadRevision[] = []
  #unexpected: { readonly error: unknown } | undefined
  #next = 0

  constructor(jobs: CalendarJobs, run: JobRun) {
    this.#jobs = jobs
    this.#run = run
  }

  /**
   * Reads calendars in `due` until none is left or the job is aborted; concurrent calls share the list. An unexpected
   * error in one calendar does not prevent the reading of the others (see `throwUnexpected`).
   */
  async readAll(due: readonly ConnectedCalendar[]): Promise<void> {
    for (let calendar = due[this.#next++]; calendar; calendar = due[this.#next++]) {
      if (this.#run.signal.aborted) return
      try {
        await this.#read(calendar)
      } catch (error) {
        this.#unexpected ??= { error }
      }
      if (this.#unchanged.length >= recordedAtOnce) await this.recordUnchanged()
    }
  }

  /** Records the calendars that were read without a change. */
  async recordUnchanged(): Promise<void> {
    const read = this.#unchanged
    this.#unchanged = []
    if (read.length > 0) resultOf(await this.#jobs.app.perform('calendars.confirm', { read }, this.#context()))
  }

  /** Throws the first unexpected error of `readAll`, so that the job fails and shows it; does nothing without one. */
  throwUnexpected(): void {
    if (this.#unexpected) throw this.#unexpected.error
  }

  async #read(calendar: ConnectedCalendar): Promise<void> {
    const { app, origin } = this.#jobs
    const { id, revision, nextAt } = calendar
    try {
      if (hasPush(calendar) && origin().startsWith('https://')) {
        const { keepWatched } = await import('../push/watch.job.ts')
        await keepWatched(this.#jobs, calendar, this.#run.signal)
      }
      const change = await readChange(this.#jobs, calendar, this.#run.signal)
      if (change) resultOf(await app.perform('calendars.store', { id, revision, nextAt, ...change }, this.#context()))
      else this.#unchanged.push({ id, revision, nextAt })
    } catch (error) {
      if (!(error instanceof CalendarFault)) throw error
      // The job was aborted, for example because this process stops, so no fault of the server is recorded.
      if (this.#run.signal.aborted) return
      const { code: fault, detail, retryAfter } = error
      const failure = { id, revision, fault, detail, retryAfter }
      resultOf(await app.perform('calendars.fault', failure, this.#context()))
    }
  }

  #context() {
    return { ...byWorker, now: this.#jobs.app.now() }
  }
}

/** Whether the system of a calendar can send notifications of changes. */
function hasPush({ kind }: Pick<ConnectedCalendar, 'kind'>): boolean {
  return kind === 'google' || kind === 'microsoft'
}

/** The context, without the current time `now`, in which calendar jobs perform operations. */
export const byWorker = workerContext('calendars')

interface Change {
  readonly content: ReadContent
  readonly window: Interval
  readonly times: readonly number[]
  readonly opened: ReadOpenings
  readonly items?: ItemChanges
}

/** Reads one connected calendar; undefined when neither its content nor the parameters of its expansion changed. */
async function readChange(
  jobs: CalendarJobs,
  calendar: ConnectedCalendar,
  signal: AbortSignal,
): Promise<Change | undefined> {
  const { app } = jobs
  const catalogue = await loadCatalogue(app.db)
  const window = windowOf(catalogue, app.now())
  const home = catalogue.provider(calendar.providerId)?.timezone ?? catalogue.site.timezone
  const { currency } = catalogue.site
  const { blocking, opening } = calendar
  const basis = JSON.stringify([expansionVersion, home, window.end, blocking, ...(opening ? [opening, currency] : [])])
  const known = calendar.content?.basis === basis ? calendar.content : null
  const read = await readSource(jobs, { calendar, known, signal })
  if (!read) return undefined
  const { content, items, ...position } = read
  const digest = content.digest()
  if (known?.digest === digest && !items) return undefined
  const isOwn = await ownEvents(app.db, content)
  const options = { home, window, isOwn }
  const times = content.busyTimes({ ...options, blocks: (transparency) => blocksTime(blocking, transparency) })
  const opened = openingsFrom(content.openTimes(options), currency)
  const flat = times.flatMap(({ start, end }) => [start, end])
  const counts = { count: times.length, ...(opening && { openings: opened.openings.length }) }
  return { content: { basis, digest, ...position, ...counts }, window, times: flat, opened, ...(items && { items }) }
}

interface SourceReading {
  readonly calendar: ConnectedCalendar
  /** The state stored at the last successful reading; null if there is none or all events must be expanded again. */
  readonly known: ReadContent | null
  readonly signal: AbortSignal
}

/**
 * The result of reading a calendar: its content; the validators or the sync position for the next request; and, for a
 * calendar of an account, the changed items.
 */
type ReadSource = Pick<ReadContent, 'etag' | 'lastModified' | 'cursor'> & {
  readonly content: CalendarContent
  readonly items?: ItemChanges
}

/**
 * Reads a connected calendar from its file or through its account; undefined when nothing changed since `known` was
 * stored.
 */
async function readSource(
  jobs: CalendarJobs,
  { calendar, known, signal }: SourceReading,
): Promise<ReadSource | undefined> {
  // The parser is imported when the first calendar is read, so that a site without calendars does not use memory for
  // it.
  if (calendar.account) {
    const { readItems } = await import('../accounts/read-items.job.ts')
    return readItems(jobs, calendar, { isExpandedAnew: known === null, isReadAnew: isOutdated(calendar), signal })
  }
  const { client, version } = jobs
  const { fetchCalendar } = await import('./fetch-calendar.job.ts')
  const { content, ...validators } = await fetchCalendar(await secretOf(jobs, calendar), known ?? {}, {
    ...{ client, version, signal, now: jobs.app.now, opening: calendar.opening ?? undefined },
  })
  return content && { content, ...validators }
}

/**
 * Whether the events of a calendar that opens time were stored by a version that did not ask whether invitations were
 * accepted. During an upgrade, another node may still be of that version.
 */
function isOutdated({ opening, content }: ConnectedCalendar): boolean {
  if (opening === null || content === null) return false
  const [version]: readonly unknown[] = JSON.parse(content.basis)
  return !(Number(version) >= acceptanceVersion)
}

/**
 * Returns a function that recognises, by `UID`, events that this service wrote, also those to which a calendar system
 * gave another `UID`. These events neither block time nor open it for booking, because their reservations determine
 * which time is occupied.
 */
async function ownEvents(db: Daybook['db'], content: CalendarContent): Promise<(uid: string) => boolean> {
  const uids = content.uids()
  const ids = uids.flatMap((uid) => reservationOfUid(uid) ?? [])
  const own = await listKnownReservations(db, ids)
  const assigned = await listAssignedUids(db, uids)
  return (uid) => own.has(reservationOfUid(uid) ?? '') || assigned.has(uid)
}

async function secretOf({ findKey }: CalendarJobs, { id, sealed }: ConnectedCalendar): Promise<CalendarSecret> {
  const keys = await findKey()
  const text = keys && findDecrypted(keys, sealed, calendarPlace(id))
  if (text === undefined) throw new CalendarFault('no_key')
  return JSON.parse(text)
}

const daySeconds = 86_400
/**
 * The end of the interval in which events are expanded is rounded up to a multiple of this many days, so that the
 * passing of time causes a calendar to be expanded again only once in 30 days.
 */
const stepDays = 30
const stepSeconds = stepDays * daySeconds

/**
 * Returns the interval in which events are expanded: from yesterday to 8 days after the longest booking horizon, at
 * least 68 days ahead, rounded up to `stepSeconds`, but at most `maxWindowDays` days ahead.
 */
function windowOf(catalogue: Pick<Catalogue, 'services' | 'providers'>, now: number): Interval {
  const horizons = catalogue.services.flatMap((service) => [
    service.settings.horizonDays,
    ...catalogue.providers.flatMap(({ services }) => services.get(service.id)?.horizonDays ?? []),
  ])
  const days = Math.min(maxWindowDays - stepDays, Math.max(60, ...horizons) + 8)
  const end = Math.ceil((now + days * daySeconds) / stepSeconds) * stepSeconds
  return { start: Math.floor(now / daySeconds) * daySeconds - daySeconds, end }
}
