import { findDestination } from '../../calendars/destinations/destinations.sql.ts'
import type { Database } from '../../db/database.ts'
import { findReservation } from '../../reservations/reservations.sql.ts'
import type { Subject } from '../addressed.operations.ts'
import { isNotificationKind, type NotificationKind, notificationKinds, propertiesOf } from '../notification.ts'
import { findLastSent } from '../notifications.sql.ts'

/** The kinds of messages to customers that can have a calendar file. */
const withFile: readonly NotificationKind[] = Object.keys(notificationKinds)
  .filter(isNotificationKind)
  .filter((kind) => {
    const { audience, calendar, cancelsEarlierFile } = propertiesOf(kind)
    return audience === 'customer' && (calendar !== undefined || cancelsEarlierFile === true)
  })

/**
 * Returns the iCalendar method of the file that is attached to a message; undefined for no file. A provider to whose
 * calendar reservations are written gets no invitation, which would add the appointment a second time. A message about
 * a request that does not become an appointment has a file only if an earlier message had one that added the request to
 * the customer's calendar, as after a move.
 */
export async function fileMethod(
  db: Database,
  kind: NotificationKind,
  { id, providerId }: Pick<Subject, 'id' | 'providerId'>,
): Promise<'REQUEST' | 'CANCEL' | undefined> {
  const { audience, calendar, cancelsEarlierFile } = propertiesOf(kind)
  if (cancelsEarlierFile) {
    const last = await findLastSent(db, { reservationId: id, channel: 'email', kinds: withFile })
    const isAdded = last !== undefined && isNotificationKind(last) && propertiesOf(last).calendar === 'REQUEST'
    return isAdded ? 'CANCEL' : undefined
  }
  const destination = audience === 'provider' && calendar === 'REQUEST' && (await findDestination(db, providerId))
  if (!destination) return calendar
  // An invitation from before the calendar was chosen may have been accepted, and its entry follows the appointment.
  const made = kind === 'provider_changed' ? await findReservation(db, id) : undefined
  return made && made.createdAt < destination.createdAt ? calendar : undefined
}
