import type { Database } from '../database.ts'
import { readClock } from './clock.ts'

/** Seconds that a clock may be apart from the database's. */
export const maxDrift = 2

/** By how many seconds `clock` is certainly apart from the database's; what the question took on its way is not counted. */
export async function measureDrift(db: Database, clock: () => number): Promise<number> {
  const asked = clock()
  const there = await readClock(db)
  const answered = clock()
  // The database looked at its clock somewhere between question and answer.
  return Math.max(0, asked - there, there - answered)
}
