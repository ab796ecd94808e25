import { createHash } from 'node:crypto'
import { resultOf } from '../../db/perform/outcome.ts'
import type { JobHandler, JobRun } from '../../jobs/job.ts'
import type { AccountClient, CalendarItem, EventDetails, EventPlace, StoredEvent } from '../accounts/account-client.ts'
import { findAccount } from '../accounts/accounts.sql.ts'
import { openAccount, openAccountById } from '../accounts/open-account.job.ts'
import { CalendarFault } from '../calendar-fault.ts'
import { byWorker, type CalendarJobs } from '../sync/sync.job.ts'
import {
  type CalendarDestination,
  type CalendarEvent,
  type EventKey,
  essence,
  eventDetails,
  eventFile,
  type PlannedEvent,
} from './destination.ts'
import { destinationJobs, type WriteJob } from './destinations.operations.ts'
import { listDestinations } from './destinations.sql.ts'
import { findPlanned, listEventsOf } from './events.sql.ts'

// Seconds between attempts to write an event: short at first, for a server that restarts, then up to four hours, for
// about 36 hours in all.
const delays = [10, 30, 120, 600, 1_800, 3_600, 7_200, 14_400]
const maxAttempts = 16
/** Seconds after which an online meeting that was not created is given up, and seconds between two requests for it. */
const maxMeetingSeconds = 50
const meetingSeconds = 10

/** Returns the handler of the jobs that write, change and remove the calendar events of a reservation. */
export function writeEventJob(jobs: CalendarJobs): JobHandler {
  return {
    kind: destinationJobs.write,
    ...{ concurrency: 8, laneConcurrency: 2, maxAttempts, delays, outbound: true },
    async run(payload, run) {
      const { reservationId } = payload as WriteJob
      const { fault, awaitsMeeting } = await new EventWriting(jobs, run).write(reservationId)
      if (run.signal.aborted) return { retryAt: jobs.app.now(), why: 'aborted' }
      if (!fault && awaitsMeeting) return { retryAt: jobs.app.now() + meetingSeconds, why: 'no meeting yet' }
      if (!fault) return 'done'
      const { retryAfter, message: why } = fault
      if (retryAfter > 0 && run.attempt < maxAttempts) return { retryAt: jobs.app.now() + retryAfter, why }
      throw fault
    },
  }
}

/**
 * The result of writing the calendar events of a reservation: the last fault, and whether an online meeting is still
 * being created.
 */
interface Written {
  readonly fault: CalendarFault | undefined
  readonly awaitsMeeting: boolean
}

/**
 * Writes the events of one reservation to the destinations of its providers (the calendars to which their reservations
 * are written), and removes events of the reservation in other calendars. When the reservation has ended, its events
 * remain where they are.
 */
class EventWriting {
  readonly #jobs: CalendarJobs
  readonly #run: JobRun
  #fault: CalendarFault | undefined
  #awaitsMeeting = false

  constructor(jobs: CalendarJobs, run: JobRun) {
    this.#jobs = jobs
    this.#run = run
  }

  /**
   * Writes the events of a reservation to every destination of its providers and removes its events in other calendars,
   * or writes these again if the reservation has ended. An event of an ended reservation that was deleted in its
   * calendar is not written again. A `CalendarFault` does not prevent the other writes; the result contains the last
   * one.
   */
  async write(reservationId: string): Promise<Written> {
    const { db } = this.#jobs.app
    const planned = await findPlanned(db, reservationId)
    const events = await listEventsOf(db, reservationId)
    const isActive = planned !== undefined && planned.status !== 'cancelled'
    const hasEnded = isActive && planned.end <= this.#jobs.app.now()
    // The seats of a reservation are deleted a day after its end. From then on, `providerIds` lacks the providers who
    // shared it.
    const written = hasEnded ? events.map(({ providerId }) => providerId) : []
    const destinations = isActive ? await listDestinations(db, [...planned.providerIds, ...written]) : []
    const eventIn = ({ providerId, accountId, calendar }: CalendarDestination) =>
      events.find(
        (event) => event.providerId === providerId && event.accountId === accountId && event.calendar === calendar,
      )
    const kept = new Set(destinations.map(eventIn))
    for (const event of events) {
      if (kept.has(event)) continue
      if (hasEnded && event.etag !== '') await this.#recording(event, () => this.#writeEnded(planned, event))
      else await this.#recording(event, () => this.#remove(event))
    }
    if (!planned) return this.#written()
    for (const destination of destinations) {
      const { providerId, calendar } = destination
      const key = { reservationId, providerId, calendar }
      await this.#recording(key, () => this.#write(planned, destination, eventIn(destination)))
    }
    return this.#written()
  }

  #written(): Written {
    return { fault: this.#fault, awaitsMeeting: this.#awaitsMeeting }
  }

  /**
   * Writes the event of a reservation that has ended again if its content has changed, in a calendar that is no longer
   * a destination. The setting whether titles name customers is no longer known, so a changed title names none; the
   * name of an erased customer is thus removed.
   */
  async #writeEnded(planned: PlannedEvent, event: CalendarEvent): Promise<void> {
    const isCurrent = [true, false].some((names) => event.written === digestOf(planned, { names }))
    if (isCurrent) return
    // A move of the event in the calendar is not compared there any more, so the event is overwritten.
    await this.#write(planned, { ...event, names: false, meetings: false }, { ...event, written: '' })
  }

  async #write(planned: PlannedEvent, destination: EventDestination, known: CalendarEvent | undefined): Promise<void> {
    const { app, origin } = this.#jobs
    // A reservation that has ended gets no new event. It may have ended before the provider chose a calendar for
    // reservations.
    const hasEnded = planned.end <= app.now()
    if (!known && hasEnded) return
    const written = digestOf(planned, destination)
    const details = eventDetails(planned, destination, app.now())
    // While the online meeting of an event has not been created, the event is written again even if it is unchanged,
    // because the server's response contains the meeting once it exists.
    if (known?.etag && known.written === written && !details.createsMeeting) return
    const { accountId, calendar, providerId } = destination
    const { reservationId, start, end } = planned
    const key = { reservationId, providerId, calendar }
    const item = known?.item ?? `${reservationId}.ics`
    const uid = known?.uid ?? `${reservationId}@${new URL(origin()).hostname}`
    if (!known)
      resultOf(await app.perform('calendars.events.intend', { ...key, accountId, item, uid }, this.#context()))
    const client = await this.#open(accountId)
    // The comparison notices a deletion for a day after the end only, so the event may be missing.
    if (known?.etag && hasEnded && !(await client.readItem(calendar, item))) return this.#forget(key)
    const before = { key: item, etag: known?.etag ?? '' }
    const writing = { calendar, uid, content: eventFile(planned, destination, uid), details }
    const stored = await put(client, writing, before, (found) => isMovedByProvider(known, planned, found))
    // A move of the event in the calendar is handled by the comparison of the calendar, which requeues this job if
    // needed.
    if (stored === 'moved') resultOf(await app.perform('calendars.destinations.due', { providerId }, this.#context()))
    else {
      const { key: place, etag, assignedUid } = stored
      const assigned = assignedUid !== undefined && assignedUid !== uid && { assignedUid: assignedUid.slice(0, 1_024) }
      const meetingAskedAt = details.createsMeeting ? known?.meetingAskedAt || app.now() : 0
      const record = { ...key, item: place, etag, ...assigned, written, start, end, meetingAskedAt }
      resultOf(await app.perform('calendars.events.record', record, this.#context()))
      if (details.createsMeeting) await this.#recordMeeting(record, stored.meeting)
    }
  }

  /**
   * Records the online meeting that a calendar system created with an event. While there is none, the job runs again;
   * `maxMeetingSeconds` after the first request for the meeting, the fault `no_meeting` is recorded instead. Attempts
   * before the event could be written do not count.
   */
  async #recordMeeting(
    { reservationId: id, providerId, calendar, meetingAskedAt }: EventKey & Pick<CalendarEvent, 'meetingAskedAt'>,
    meeting: string | undefined,
  ): Promise<void> {
    const { app } = this.#jobs
    if (meeting !== undefined) {
      resultOf(await app.perform('reservations.meeting', { id, providerId, meeting }, this.#context()))
    } else if (app.now() < meetingAskedAt + maxMeetingSeconds) this.#awaitsMeeting = true
    else {
      const failure = { reservationId: id, providerId, calendar, fault: 'no_meeting', detail: '' } as const
      resultOf(await app.perform('calendars.events.fault', failure, this.#context()))
    }
  }

  async #remove(event: CalendarEvent): Promise<void> {
    const { app } = this.#jobs
    const { calendar, item, etag, uid } = event
    const account = await findAccount(app.db, event.accountId)
    // Without its account, the event cannot be removed from the calendar, so only its record is deleted.
    if (account) {
      const client = await openAccount(this.#jobs, account, this.#run.signal)
      const outcome = await client.removeEvent(calendar, { key: item, etag, uid })
      if (outcome === 'changed') await client.removeEvent(calendar, { key: item, etag: '', uid })
    }
    await this.#forget(keyOf(event))
  }

  /** Deletes the record of an event, so that comparisons no longer miss the event in its calendar. */
  async #forget(key: EventKey): Promise<void> {
    resultOf(await this.#jobs.app.perform('calendars.events.forget', key, this.#context()))
  }

  #open(id: string): Promise<AccountClient> {
    return openAccountById(this.#jobs, { db: this.#jobs.app.db, id }, this.#run.signal)
  }

  async #recording(key: EventKey, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof CalendarFault)) throw error
      this.#fault = error
      if (this.#run.signal.aborted) return
      const failure = { ...keyOf(key), fault: error.code, detail: error.detail }
      resultOf(await this.#jobs.app.perform('calendars.events.fault', failure, this.#context()))
    }
  }

  #context() {
    return { ...byWorker, now: this.#jobs.app.now() }
  }
}

/** The calendar to which an event is written, and the settings that determine its content. */
type EventDestination = Pick<CalendarDestination, 'providerId' | 'accountId' | 'calendar' | 'names' | 'meetings'>

/** Returns the digest of the content of a reservation's event (see `CalendarEvent.written`). */
function digestOf(planned: PlannedEvent, destination: Pick<CalendarDestination, 'names'>): string {
  return createHash('sha256').update(essence(planned, destination)).digest('base64url')
}

interface Writing {
  readonly calendar: string
  readonly uid: string
  readonly content: string
  readonly details: EventDetails
}

/**
 * Writes an event. If the server has another version of the event than expected, calls `isMoved` with it. Returns
 * `moved`, without overwriting the event, when `isMoved` resolves to true; overwrites the event otherwise.
 */
async function put(
  client: AccountClient,
  { calendar, uid, content, details }: Writing,
  place: EventPlace,
  isMoved: (found: CalendarItem) => Promise<boolean>,
): Promise<StoredEvent | 'moved'> {
  const first = await client.writeEvent(calendar, { ...place, uid, content, details })
  if (first !== 'changed') return first
  const found = await client.readItem(calendar, place.key)
  if (found && (await isMoved(found))) return 'moved'
  const again = await client.writeEvent(calendar, { key: place.key, uid, content, details, etag: found?.etag ?? '' })
  if (again === 'changed') throw new CalendarFault('server_error', '412')
  return again
}

/**
 * Whether the event was moved in the calendar since it was written, while the times of its reservation are unchanged.
 * False for an event that has to be written again in any case.
 */
async function isMovedByProvider(
  known: CalendarEvent | undefined,
  { start, end }: PlannedEvent,
  { components }: CalendarItem,
): Promise<boolean> {
  if (!known?.etag || known.written === '' || known.start !== start || known.end !== end) return false
  const { itemTimes } = await import('./item-times.job.ts')
  const times = itemTimes(components, 'UTC')
  return times?.start !== start || times.end !== end
}

function keyOf({ reservationId, providerId, calendar }: EventKey): EventKey {
  return { reservationId, providerId, calendar }
}
