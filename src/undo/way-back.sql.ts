import type { Database } from '../db/database.ts'
import { findEvent, parseSeq } from '../db/log/event-log.ts'
import type { LoggedEvent } from '../history/event.ts'
import { mergedAway, undoneAlready, type WayBack, wayBack } from './undo.ts'

/**
 * Returns how a log entry is undone, or the reason why it cannot be. `undone` contains the ids of the entries that are
 * undone already.
 */
export async function findWayBack(db: Database, event: LoggedEvent, undone: ReadonlySet<string>): Promise<WayBack> {
  if (undone.has(event.id)) return undoneAlready
  return (await isOfMerge(db, event)) ? mergedAway : wayBack(event)
}

/** Whether an entry is the removal of a customer who was merged into another: the entry of the merge precedes it. */
async function isOfMerge(db: Database, { type, seq, objectId }: LoggedEvent): Promise<boolean> {
  const place = type === 'customer.removed' ? parseSeq(seq) : undefined
  if (!place) return false
  const before = await findEvent(db, { tx: place.tx, n: place.n - 1 })
  return before?.type === 'customer.merged' && before.object?.mergedFrom === objectId
}
