import type { Database } from '../database.ts'
import { readClock } from './clock.ts'

/** The tolerated difference to the database's clock in seconds. */
export const maxDrift = 2

/** Returns a lower bound of the seconds between `clock` and the database's clock, without the round-trip time. */
export async function measureDrift(db: Database, clock: () => number): Promise<number> {
  const sent = clock()
  const there = await readClock(db)
  const received = clock()
  // The database read its clock between request and response.
  return Math.max(0, sent - there, there - received)
}
