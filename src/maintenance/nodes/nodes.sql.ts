import { readClock } from '../../db/clock/clock.ts'
import { maxDrift } from '../../db/clock/clock-drift.ts'
import type { Database } from '../../db/database.ts'
import { forgottenSeconds, lostSeconds, type Node, type SeenNode } from './node.ts'

/**
 * Stores the report of a running node (a process that serves the site), and deletes nodes whose last report is older
 * than `forgottenSeconds`.
 */
export async function saveNode(db: Database, node: Node): Promise<void> {
  const { id, name, version, startedAt, lagMilliseconds, clockDriftMilliseconds } = node
  const now = Math.floor(await readClock(db))
  const report = { seen_at: now, lag_ms: lagMilliseconds, clock_drift_ms: clockDriftMilliseconds }
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
  return rows.map(({ id, name, version, ...row }) => {
    const silentSeconds = Math.max(0, Math.floor(now - row.seen_at))
    const lost = silentSeconds > lostSeconds
    return {
      id,
      name,
      version,
      startedAt: row.started_at,
      lagMilliseconds: row.lag_ms,
      clockDriftMilliseconds: row.clock_drift_ms,
      silentSeconds,
      lost,
      outOfSync: !lost && (row.clock_drift_ms ?? 0) > maxDrift * 1000,
    }
  })
}
