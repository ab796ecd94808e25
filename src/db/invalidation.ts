import type { DatabaseSync } from 'node:sqlite'
import { everythingChanged, type Invalidation, utcDayOf } from '../scheduling/invalidation.ts'
import { providerResource, resourceName, timeResource } from '../scheduling/plan/resource.ts'

/**
 * The invalidations (which days of which cached availability a change affects) that a writing connection has recorded
 * since the last call of `take`.
 */
export interface InvalidationLog {
  /**
   * The number of recorded cache invalidations. After a rollback, `forget` with an earlier number drops the
   * invalidations that the rolled back operation recorded.
   */
  readonly length: number
  forget(length: number): void
  /** Clears the recorded cache invalidations and returns them, or `everythingChanged` in place of more than 2,000. */
  take(): readonly Invalidation[]
}

// The maximum number of cache invalidations of one transaction. A transaction with more, such as the import of a whole
// site, invalidates everything.
const maxInvalidations = 2_000

const everyDayPart = (first: number, last: number) =>
  `touched_time('p' || new.provider_id, new.updated_at + ${first} * 86400, new.updated_at + ${last} * 86400 + 1)`

/**
 * The SQL calls that record a change of the availability of a provider on every day from 2 days before to 795 days
 * after the `updated_at` of the row of the provider's connected calendar. One reading of a calendar covers at most 770
 * days (`maxWindowDays`), so no other day can be affected by the next. The range is recorded in two parts, since the
 * caches treat a range of more than 400 days as a change of everything.
 */
const everyDay = `${everyDayPart(-2, 396)}, ${everyDayPart(397, 795)}`

// Temporary triggers belong to one connection, so they can call the functions that this process registers on it. They
// run for every change of a row that may affect availability, so operations do not have to record cache invalidations
// themselves.
const triggers = [
  on('occupancy', 'insert', 'touched_time(new.resource, new.start_at, new.end_at)'),
  on('occupancy', 'delete', 'touched_time(old.resource, old.start_at, old.end_at)'),
  on('busy', 'insert', `touched_time('p' || new.provider_id, new.start_at, new.end_at)`),
  on('busy', 'delete', `touched_time('p' || old.provider_id, old.start_at, old.end_at)`),
  on(
    'busy',
    'update',
    `touched_time('p' || old.provider_id, old.start_at, old.end_at), touched_time('p' || new.provider_id, new.start_at, new.end_at)`,
  ),
  // Until its first reading a calendar blocks every day, and none once it is removed, however far ahead the day is.
  on('connected_calendar', 'insert', 'touched_everything()'),
  on('connected_calendar', 'update of turn', everyDay, 'when old.turn <> new.turn'),
  on('connected_calendar', 'delete', 'touched_everything()'),
  on('reservation', 'insert', 'touched_reservation(new.service_id, new.provider_id, new.start_at)'),
  on('reservation', 'delete', 'touched_reservation(old.service_id, old.provider_id, old.start_at)'),
  on(
    'reservation',
    'update of service_id, provider_id, start_at, end_at, status',
    'touched_reservation(old.service_id, old.provider_id, old.start_at), touched_reservation(new.service_id, new.provider_id, new.start_at)',
  ),
  on('assignment', 'insert', 'touched_assignment(new.service_id)'),
  on('assignment', 'update', 'touched_assignment(new.service_id)'),
  on('assignment', 'delete', 'touched_assignment(old.service_id)'),
  on('site', 'insert', 'touched_catalogue()'),
  on('site', 'update', 'touched_catalogue()'),
]

/**
 * Creates the triggers that record the cache invalidations of every change through this connection. The schema must be
 * migrated.
 */
export function logInvalidations(database: DatabaseSync): InvalidationLog {
  let log: Invalidation[] = []
  const note = (invalidations: Invalidation): null => {
    log.push(invalidations)
    return null
  }
  database.function('touched_time', (resource, start, end) =>
    note({
      subject: timeResource(resourceName(String(resource))),
      firstDay: utcDayOf(Number(start)),
      lastDay: utcDayOf(Number(end) - 1),
    }),
  )
  database.function('touched_reservation', (serviceId, providerId, start) => {
    const day = utcDayOf(Number(start))
    note({ subject: `service:${serviceId}`, firstDay: day, lastDay: day })
    return note({ subject: providerResource(Number(providerId)), firstDay: day, lastDay: day })
  })
  database.function('touched_assignment', (serviceId) =>
    note({ subject: `assignments:${serviceId}`, firstDay: 0, lastDay: 0 }),
  )
  database.function('touched_everything', () => note(everythingChanged))
  database.function('touched_catalogue', () => note({ subject: 'catalogue', firstDay: 0, lastDay: 0 }))
  database.exec('pragma temp_store = memory')
  for (const trigger of triggers) database.exec(trigger)
  return {
    get length() {
      return log.length
    },
    forget(length) {
      log.length = Math.min(log.length, length)
    },
    take() {
      const taken = log
      log = []
      return taken.length > maxInvalidations ? [everythingChanged] : taken
    },
  }
}

function on(table: string, event: string, note: string, condition = ''): string {
  const name = `touched_${table}_${event.split(' ', 1)[0]}`
  return `create temp trigger ${name} after ${event} on main.${table} ${condition} begin select ${note}; end`
}
