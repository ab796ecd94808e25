import { meetingFrom } from '../catalogue/providers/meeting-link.ts'
import type { Provider } from '../catalogue/providers/provider.ts'
import type { Service } from '../catalogue/services/service.ts'
import { movesSlot, type Reservation } from './reservation.ts'

/** The service and the provider of a reservation. */
interface Held {
  readonly service: Service
  readonly provider: Provider
}

/**
 * Returns the address at which a new reservation takes place online: null unless it is confirmed, its service takes
 * place online and its provider has a meeting link. `room` is an unguessable name that belongs to this reservation
 * only; it replaces the placeholder `{reservation}` of the link.
 */
export function firstMeeting(
  { status }: Pick<Reservation, 'status'>,
  { service, provider }: Held,
  room: string,
): string | null {
  const { meetingLink = '' } = provider
  if (status !== 'confirmed' || !service.settings.online || meetingLink === '') return null
  return meetingFrom(meetingLink, { reservation: room, service: service.id })
}

/**
 * Returns the address of the online meeting after an edit; null unless the reservation is confirmed, and when its
 * service or provider was removed. An existing address is unchanged unless the service, the provider or the customer
 * changes: a former customer still has the address. For another customer, an address that a calendar system created
 * remains, since the provider has no link of which another one could be built. A reservation without an address can get
 * one when it is confirmed or moved.
 */
export function meetingAfter(
  before: Reservation,
  after: Reservation,
  held: Held | undefined,
  room: string,
): string | null {
  if (after.status !== 'confirmed' || !held) return null
  const sameParties = before.serviceId === after.serviceId && before.providerId === after.providerId
  const sameCustomer = before.customerId === after.customerId
  if (before.meeting !== null && sameParties)
    return sameCustomer ? before.meeting : (firstMeeting(after, held, room) ?? before.meeting)
  if (before.status === after.status && !movesSlot(before, after)) return before.meeting
  return firstMeeting(after, held, room)
}
