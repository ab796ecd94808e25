import type { Database } from '../db/database.ts'
import type { LoggedEvent } from '../history/event.ts'
import { pageHistory } from '../history/history.sql.ts'

// The maximum number of events in which `announcedChange` looks for the state of which the audience was last notified.
const maxEvents = 30

/**
 * Returns the events of a reservation before and after a position in the event log, the nearest first. Only the newest
 * 30 events of the reservation are included.
 */
export async function listSurroundings(
  db: Database,
  { objectId, seq }: Pick<LoggedEvent, 'objectId' | 'seq'>,
): Promise<{ readonly earlier: readonly LoggedEvent[]; readonly later: readonly LoggedEvent[] }> {
  const filter = { objectId, type: 'reservation', actor: undefined, from: undefined, until: undefined }
  const { events } = await pageHistory(db, filter, { limit: maxEvents, offset: 0 })
  return {
    earlier: events.filter((event) => event.seq < seq),
    later: events.filter((event) => event.seq > seq).toReversed(),
  }
}
