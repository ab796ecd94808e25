import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import { resultOf } from '../../db/perform/outcome.ts'
import type { JobHandler, JobRun } from '../../jobs/job.ts'
import type { AccountClient, CalendarItem } from '../accounts/account-client.ts'
import { openAccountById } from '../accounts/open-account.job.ts'
import { CalendarFault } from '../calendar-fault.ts'
import { byWorker, type CalendarJobs } from '../sync/sync.job.ts'
import type { CalendarDestination, CalendarEvent } from './destination.ts'
import { type CompareJob, destinationJobs } from './destinations.operations.ts'
import { findDestination } from './destinations.sql.ts'
import { findEvent, findPlanned, listWrittenEvents } from './events.sql.ts'

const daySeconds = 86_400
/** Seconds from a comparison of all events of a calendar to the next; in between, only changed events are compared. */
const listSeconds = daySeconds

/**
 * Returns the handler of the jobs that compare a provider's reservations with their events in the provider's
 * destination (the calendar to which the reservations are written). A missing event is written again, unless its
 * reservation has ended. If an event was moved in the calendar, its reservation is rescheduled if the event starts in
 * the future and the policy of the destination and the booking rules allow it; otherwise, the event is moved back.
 * After `maxRestored` such corrections, an event gets the fault `contested` and is no longer written again or moved
 * back.
 */
export function compareJob(jobs: CalendarJobs): JobHandler {
  return {
    ...{ kind: destinationJobs.compare, concurrency: 8, maxAttempts: 1_000, outbound: true },
    async run(payload, run) {
      const { providerId } = payload as CompareJob
      const destination = await findDestination(jobs.app.db, providerId)
      if (destination) await new Comparison(jobs, destination, run).run()
      return 'done'
    },
  }
}

class Comparison {
  readonly #jobs: CalendarJobs
  readonly #destination: CalendarDestination
  readonly #run: JobRun

  constructor(jobs: CalendarJobs, destination: CalendarDestination, run: JobRun) {
    this.#jobs = jobs
    this.#destination = destination
    this.#run = run
  }

  async run(): Promise<void> {
    const { app } = this.#jobs
    const { providerId, accountId, calendar } = this.#destination
    try {
      const position = await this.#compare()
      const compared = { providerId, accountId, calendar, ...position }
      resultOf(await app.perform('calendars.destinations.record', compared, this.#context()))
    } catch (error) {
      if (!(error instanceof CalendarFault)) throw error
      // The job was aborted, for example because this process stops, so no fault of the server is recorded.
      if (this.#run.signal.aborted) return
      const failure = {
        providerId,
        accountId,
        calendar,
        fault: error.code,
        detail: error.detail,
        retryAfter: error.retryAfter,
      }
      resultOf(await app.perform('calendars.destinations.fault', failure, this.#context()))
    }
  }

  async #compare(): Promise<{ readonly cursor?: string; readonly isComplete?: boolean }> {
    const { app } = this.#jobs
    const { accountId, calendar, cursor, listedAt } = this.#destination
    const client = await openAccountById(this.#jobs, { db: app.db, id: accountId }, this.#run.signal)
    // The written events are loaded before the calendar is read. Otherwise, an event that is written during the reading
    // would be taken for a missing one.
    const events = await listWrittenEvents(app.db, this.#destination, app.now() - daySeconds)
    const byItem = new Map(events.map((event) => [event.item, event]))
    // An event beyond the interval that the calendar system lists would be taken for a missing one as well. It is
    // compared once the interval contains it.
    const listedUntil = client.listedUntil?.() ?? Number.POSITIVE_INFINITY
    const listed = events.filter(({ start }) => start < listedUntil)
    const isCurrent = cursor !== '' && listedAt + listSeconds > app.now()
    const changes = await client.readChanges(calendar, {
      cursor: isCurrent ? cursor : undefined,
      known: async () => new Map(listed.map(({ item, etag }) => [item, etag])),
      onlyKnown: true,
    })
    for (const item of changes?.changed ?? []) {
      const event = byItem.get(item.key)
      if (event) await this.#settle(client, event, item)
    }
    for (const key of changes?.removed ?? []) {
      const event = byItem.get(key)
      if (event) await this.#settle(client, event, undefined)
    }
    return changes ? { cursor: changes.cursor, isComplete: changes.isComplete } : {}
  }

  /**
   * Compares an event that was changed in the calendar, or removed from it (`found` is undefined), with its
   * reservation, and accepts or reverts the change.
   */
  async #settle(client: AccountClient, listed: CalendarEvent, found: CalendarItem | undefined): Promise<void> {
    const { app } = this.#jobs
    const event = await findEvent(app.db, listed)
    // An event without an etag is about to be written.
    if (!event || event.etag === '') return
    // If the event has been written since its record was loaded, the calendar may have listed an older version, with
    // times that the reservation no longer has. The present version is then compared.
    const item = event.etag === listed.etag ? found : await client.readItem(event.calendar, event.item)
    const planned = await findPlanned(app.db, listed.reservationId)
    if (event.etag === item?.etag || !planned || planned.status === 'cancelled') return
    const key = { reservationId: event.reservationId, providerId: event.providerId, calendar: event.calendar }
    // The provider may clear the past. Without its record, the event is not written again.
    if (!item && planned.end <= app.now()) {
      resultOf(await app.perform('calendars.events.forget', key, this.#context()))
      return
    }
    const etag = item?.etag ?? ''
    // The parser is imported when the first changed event is found, to save memory.
    const { itemTimes } = await import('./item-times.job.ts')
    const times = item && itemTimes(item.components, await this.#home())
    const version = { ...key, item: event.item, etag }
    if (times?.start === planned.start && times.end === planned.end) {
      const { written } = event
      resultOf(await app.perform('calendars.events.record', { ...version, written, ...times }, this.#context()))
    } else if (planned.start !== event.start || planned.end !== event.end) {
      // The reservation has been moved since its event was written, so the event is written again and the change in the
      // calendar is discarded.
      resultOf(await app.perform('calendars.events.queue', { reservationId: key.reservationId }, this.#context()))
    } else if (!times || !(await this.#reschedule(key.reservationId, times))) {
      resultOf(await app.perform('calendars.events.restore', { ...key, etag }, this.#context()))
    } else {
      resultOf(await app.perform('calendars.events.record', { ...version, written: '', ...times }, this.#context()))
      resultOf(await app.perform('calendars.events.queue', { reservationId: key.reservationId }, this.#context()))
    }
  }

  /**
   * Moves a reservation to the times of its event. Returns false when the policy or a booking rule forbids it, or when
   * the event does not start in the future.
   */
  async #reschedule(id: string, { start, end }: { readonly start: number; readonly end: number }): Promise<boolean> {
    const { app } = this.#jobs
    if (this.#destination.policy !== 'reschedule' || start <= app.now()) return false
    // The lead time (the minimum notice of a booking) is waived, because the provider moved the event; every other
    // booking rule applies.
    const outcome = await app.perform('reservations.edit', { id, start, end, waivesNotice: true }, this.#context())
    if ('refused' in outcome) return false
    resultOf(outcome)
    return true
  }

  async #home(): Promise<string> {
    const catalogue = await loadCatalogue(this.#jobs.app.db)
    return catalogue.provider(this.#destination.providerId)?.timezone ?? catalogue.site.timezone
  }

  #context() {
    return { ...byWorker, now: this.#jobs.app.now() }
  }
}
