import type { LoggedEvent } from '../history/event.ts'
import { undoSeconds } from '../undo/undo-seconds.ts'
import {
  type Audience,
  isWithheld,
  notificationsOf,
  notificationsOfChange,
  propertiesOf,
  type ReservationStates,
  reservationStates,
} from './notification.ts'

/** A change of a reservation, made or planned, with its time and actor. */
export type DatedChange = ReservationStates & Pick<LoggedEvent, 'createdAt' | 'actor'>

/**
 * The other events of a reservation before and after a change, each list beginning with the event nearest to the
 * change.
 */
interface Surroundings {
  readonly earlier: readonly LoggedEvent[]
  readonly later: readonly LoggedEvent[]
}

/**
 * Returns the change that a message announces to an audience. Its `before` is the state of which the audience was last
 * notified, so the change includes earlier changes of which the audience was not notified: changes that staff withheld
 * from the customer, and changes by a user that were followed by another change before the messages about them were
 * due. Undefined when the message about a later change will include this change.
 */
export function announcedChange(
  change: DatedChange,
  { earlier, later }: Surroundings,
  audience: Audience,
): ReservationStates | undefined {
  const next = later.find((event) =>
    notificationsOf(event, event.createdAt).some(({ kind }) => propertiesOf(kind).audience === audience),
  )
  if (next && isUnsent(change, next.createdAt)) return undefined
  let { before, createdAt } = change
  for (const event of earlier) {
    const states = reservationStates(event)
    if (!states || notificationsOfChange(states, event.createdAt).length === 0) continue
    if (!(audience === 'customer' && isWithheld(event)) && !isUnsent(event, createdAt)) break
    before = states.before
    createdAt = event.createdAt
  }
  return { before, after: change.after }
}

/**
 * Whether the messages about a change were not due yet at an instant: those about a user's change are delayed, so that
 * the change can be undone.
 */
function isUnsent({ actor, createdAt }: Pick<DatedChange, 'actor' | 'createdAt'>, at: number): boolean {
  return actor.kind === 'user' && at < createdAt + undoSeconds
}
