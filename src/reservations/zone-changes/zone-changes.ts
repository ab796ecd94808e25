import type { LoggedEvent } from '../../history/event.ts'

/** The actor id of the job that applies the site's policy for changed time zone rules. */
export const zoneWorker = 'zones'

/**
 * Whether an event moved a reservation because the rules of its time zone changed (`followZone`), so that its wall time
 * in that zone is the same as before.
 */
export function keepsWallTime({ type, actor }: Pick<LoggedEvent, 'type' | 'actor'>): boolean {
  return type === 'reservation.rescheduled' && actor.kind === 'worker' && actor.id === zoneWorker
}
