import type { LoggedEvent } from '../history/event.ts'

/**
 * Seconds by which notifications, refunds and the closing of payment pages that follow from a user's change are
 * delayed. An undo before the end of the delay prevents them; the panel offers undo for twelve seconds after a change.
 */
export const undoSeconds = 15

/** Returns the Unix time from which the effects of a change may follow: those of a user's change are delayed. */
export function effectiveAt({ actor, createdAt }: Pick<LoggedEvent, 'actor' | 'createdAt'>): number {
  return actor.kind === 'user' ? createdAt + undoSeconds : createdAt
}
