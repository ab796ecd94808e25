import type { Database } from '../database.ts'
import { readClock } from './clock.ts'

/** The maximum tolerated deviation of a node's clock from the database's clock, in seconds. */
export const maxDrift = 2

/**
 * Returns a lower bound of the absolute difference in seconds between `clock` and the database's clock. The difference
 * may be larger by at most the round-trip time of the query.
 */
export async function measureDrift(db: Database, clock: () => number): Promise<number> {
  const sent = clock()
  const there = await readClock(db)
  const received = clock()
  // The database reads its clock between request and response, so a time within that interval counts as no drift.
  return Math.max(0, sent - there, there - received)
}
