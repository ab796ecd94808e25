import type { Log } from '../db/perform/app.ts'
import type { Daybook } from '../operations.ts'

/** Wraps `perform` to log the authentication events of committed writes. */
export function loggingSecurity(perform: Daybook['perform'], log: Log): Daybook['perform'] {
  return async (name, input, context) => {
    const outcome = await perform(name, input, context)
    if ('ok' in outcome && !outcome.replayed) {
      for (const { kind, userId, by, actor, address } of outcome.security ?? []) {
        log.info({ kind, userId, by, actorId: actor.id, address }, 'security')
      }
    }
    return outcome
  }
}
