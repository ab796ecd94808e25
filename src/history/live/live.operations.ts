import type { Database } from '../../db/database.ts'
import { type Cursor, findNewestSettled, parseSeq, readFeed } from '../../db/log/event-log.ts'
import type { LiveChange } from './live-change.ts'
import { liveChange, liveKinds } from './live-change.ts'

const atOnce = 500

/**
 * Returns the position of the newest event, of any kind, before which no later commit can insert an event in the log.
 */
export function newestCursor(db: Database): Promise<Cursor> {
  return findNewestSettled(db)
}

/** Returns the changes of at most 500 events after a position of the log, and the position at which to continue. */
export async function changesAfter(
  db: Database,
  after: Cursor,
): Promise<{ readonly changes: readonly LiveChange[]; readonly upTo: Cursor }> {
  const { events } = await readFeed(db, { after, limit: atOnce, kinds: liveKinds })
  const last = events.at(-1)
  return { changes: events.flatMap(liveChange), upTo: (last && parseSeq(last.seq)) ?? after }
}
