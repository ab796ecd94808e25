import type { Database } from '../../db/database.ts'
import { type Cursor, findNewestSettled, parseSeq, readFeed } from '../../db/log/event-log.ts'
import type { LiveChange } from './live-change.ts'
import { liveChange, liveKinds } from './live-change.ts'

const atOnce = 500

/** Returns the position in the event log of the newest event that `changesAfter` can return. */
export function newestCursor(db: Database): Promise<Cursor> {
  return findNewestSettled(db)
}

/** Returns the changes after a position of the event log, and the position from which the next call continues. */
export async function changesAfter(
  db: Database,
  after: Cursor,
): Promise<{ readonly changes: readonly LiveChange[]; readonly upTo: Cursor }> {
  const { events } = await readFeed(db, { after, limit: atOnce, kinds: liveKinds })
  const last = events.at(-1)
  return { changes: events.flatMap(liveChange), upTo: (last && parseSeq(last.seq)) ?? after }
}
