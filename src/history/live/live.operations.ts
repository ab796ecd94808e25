import type { Database } from '../../db/database.ts'
import { type Cursor, findNewestSettled, parseSeq, readFeed } from '../../db/log/event-log.ts'
import type { LiveChange } from './live-change.ts'
import { liveChange } from './live-change.ts'

/** What screens show that others may change. */
const heardKinds = ['reservation', 'customer', 'service', 'provider', 'time_off', 'site']
const atOnce = 500

/** Where the log stands now: what comes after it is news. */
export function newestCursor(db: Database): Promise<Cursor> {
  return findNewestSettled(db)
}

/** What was changed after a place of the log, and the place up to which that is all. */
export async function changesAfter(
  db: Database,
  after: Cursor,
): Promise<{ readonly changes: readonly LiveChange[]; readonly upTo: Cursor }> {
  const { events } = await readFeed(db, { after, limit: atOnce, kinds: heardKinds })
  const last = events.at(-1)
  return { changes: events.flatMap(liveChange), upTo: (last && parseSeq(last.seq)) ?? after }
}
