import { Unavailable } from './response/errors.ts'

const maxTries = 5

/**
 * Calls `attempt`, which reads an encrypted value and stores a changed one, again while the value has changed between
 * its read and its write. Throws `Unavailable` after five such calls.
 */
export async function untilStored(attempt: () => Promise<{ readonly stored: boolean }>): Promise<void> {
  for (let tries = 0; tries < maxTries; tries++) if ((await attempt()).stored) return
  throw new Unavailable('Other requests change the same secret.')
}
