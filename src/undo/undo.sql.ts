import type { Database } from '../db/database.ts'

/** A log entry that undid another log entry. */
export interface UndoingRow {
  readonly id: string
  readonly undid: string
}

/**
 * Returns the log entries that undid the entries with these ids, the entries that undid those, and so on; the newest
 * first.
 */
export async function listUndoings(db: Database, ids: readonly string[]): Promise<readonly UndoingRow[]> {
  if (ids.length === 0) return []
  const rows = await db.build
    .withRecursive('undoing', (build) =>
      build
        .selectFrom('event')
        .select(['id', 'undid', 'tx', 'n'])
        .where('undid', 'in', ids)
        .union(
          build
            .selectFrom('undoing')
            .innerJoin('event', 'event.undid', 'undoing.id')
            .select(['event.id', 'event.undid', 'event.tx', 'event.n']),
        ),
    )
    .selectFrom('undoing')
    .select(['id', 'undid'])
    .orderBy('tx', 'desc')
    .orderBy('n', 'desc')
    .execute()
  return rows.flatMap(({ id, undid }) => (undid === null ? [] : [{ id, undid }]))
}
