import { readClock } from '../../db/clock/clock.ts'
import type { Database } from '../../db/database.ts'
import { forgottenSeconds, type Node, type SeenNode } from './node.ts'

/**
 * Stores that a node (a process that serves the site) is running, with the present lag of its caches, and deletes nodes
 * whose last report is older than `forgottenSeconds`.
 */
export async function saveNode(db: Database, { id, name, version, startedAt, lagMilliseconds }: Node): Promise<void> {
  const now = Math.floor(await readClock(db))
  const report = { seen_at: now, lag_ms: lagMilliseconds }
  await db.build
    .insertInto('node')
    .values({ id, name, version, started_at: startedAt, ...report })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(report))
    .execute()
  await db.build
    .deleteFrom('node')
    .where('seen_at', '<', now - forgottenSeconds)
    .execute()
}

/** Removes the record of a node that stops. */
export async function deleteNode(db: Database, id: string): Promise<void> {
  await db.build.deleteFrom('node').where('id', '=', id).execute()
}

/** Returns all stored nodes, ordered by name; none on SQLite. */
export async function listNodes(db: Database): Promise<readonly SeenNode[]> {
  const now = await readClock(db)
  const rows = await db.build.selectFrom('node').selectAll().orderBy('name').orderBy('id').execute()
  return rows.map(({ id, name, version, started_at: startedAt, seen_at: seenAt, lag_ms: lagMilliseconds }) => {
    return { id, name, version, startedAt, lagMilliseconds, silentSeconds: Math.max(0, Math.floor(now - seenAt)) }
  })
}
