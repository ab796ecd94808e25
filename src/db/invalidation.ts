import type { DatabaseSync } from 'node:sqlite'
import type { Invalidation } from '../scheduling/invalidation.ts'
import { resourceName } from '../scheduling/plan/resource.ts'

/** What a writing connection has touched since it was last asked. */
export interface InvalidationLog {
  /** How much there is; give it to `forget` to take back what came later and was rolled back. */
  readonly length: number
  forget(length: number): void
  /** All of it, once. */
  take(): readonly Invalidation[]
}

// An import of a whole site touches everything; nobody wants the list.
const mostTold = 2_000

// Of the connection alone and not of the file: temporary triggers may call functions that only this process has. The
// database itself notes every change, so that no operation can forget to.
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
  on('reservation', 'insert', 'touched_booked(new.service_id, new.provider_id, new.start_at)'),
  on('reservation', 'delete', 'touched_booked(old.service_id, old.provider_id, old.start_at)'),
  on(
    'reservation',
    'update of service_id, provider_id, start_at, end_at, status',
    'touched_booked(old.service_id, old.provider_id, old.start_at), touched_booked(new.service_id, new.provider_id, new.start_at)',
  ),
  on('assignment', 'insert', 'touched_assigned(new.service_id)'),
  on('assignment', 'update', 'touched_assigned(new.service_id)'),
  on('assignment', 'delete', 'touched_assigned(old.service_id)'),
  on('site', 'insert', 'touched_catalogue()'),
  on('site', 'update', 'touched_catalogue()'),
]

/** Has a writing connection note what it touches; its tables are those of the code. */
export function logInvalidations(database: DatabaseSync): InvalidationLog {
  let log: Invalidation[] = []
  const note = (invalidations: Invalidation): null => {
    log.push(invalidations)
    return null
  }
  database.function('touched_time', (resource, start, end) =>
    note({ kind: 'time', resource: resourceName(String(resource)), start: Number(start), end: Number(end) }),
  )
  database.function('touched_booked', (serviceId, providerId, start) =>
    note({ kind: 'booked', serviceId: String(serviceId), providerId: Number(providerId), start: Number(start) }),
  )
  database.function('touched_assigned', (serviceId) => note({ kind: 'assigned', serviceId: String(serviceId) }))
  database.function('touched_catalogue', () => note({ kind: 'catalogue' }))
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
      return taken.length > mostTold ? [{ kind: 'everything' }] : taken
    },
  }
}

function on(table: string, event: string, note: string): string {
  const name = `touched_${table}_${event.split(' ', 1)[0]}`
  return `create temp trigger ${name} after ${event} on main.${table} begin select ${note}; end`
}
