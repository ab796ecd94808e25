import type { Database } from '../db/database.ts'
import type { Operation, Tx } from '../db/perform/app.ts'

/**
 * Pauses outbound jobs, which send requests to other systems, until an administrator resumes them. A restore calls this
 * function, since the restored database can contain jobs that were already run after the backup was made.
 */
export async function pauseOutbound(tx: Tx): Promise<void> {
  await tx.db.build.updateTable('site').set({ outbound_paused_at: tx.now }).execute()
}

/** Ends the pause of outbound jobs. */
export const resumeOutbound: Operation<Record<never, never>, null> = async (tx) => {
  await tx.db.build.updateTable('site').set({ outbound_paused_at: null }).execute()
  return null
}

/** Returns the time at which outbound jobs were paused; null when they are not. */
export async function findOutboundPause(db: Database): Promise<number | null> {
  const row = await db.build.selectFrom('site').select('outbound_paused_at').executeTakeFirst()
  return row?.outbound_paused_at ?? null
}
