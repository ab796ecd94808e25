import type { Database } from '../db/database.ts'
import type { LoggedEvent } from '../history/event.ts'
import { pageHistory } from '../history/history.sql.ts'

// Maximum number of events in which the last notified state is searched; it lies further back only after this many
// changes in a row without a message.
const maxEvents = 30

/**
 * Returns the events of a reservation before and after a position, nearest first, as far as they are among its newest
 * events.
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
