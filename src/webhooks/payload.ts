import type { Service } from '../catalogue/services/service.ts'
import { type LoggedEvent, publicEvent } from '../history/event.ts'

/** The JSON that a delivery sends to an endpoint, unless a template changes it. */
export interface WebhookPayload {
  /** The id of the event, sent in the header `webhook-id` and the same for every attempt. */
  readonly id: string
  readonly type: string
  /** The position of the event in the event feed. Positions sort as text. */
  readonly seq: string
  /** The id of what changed, which is still known when the erasure of a customer has emptied `data`. */
  readonly objectId: string
  readonly createdAt: number
  readonly apiVersion: 'v1'
  readonly data: {
    readonly object: Readonly<Record<string, unknown>> | null
    readonly previous: Readonly<Record<string, unknown>> | null
  }
}

/**
 * Returns the payload of an event of the log, without the fields that only staff see. The fields of a reservation are
 * those that `shownReservation` in src/reservations/reservation.ts returned when the event was appended; a new field of
 * the payload is added there.
 */
export function payloadOf(event: LoggedEvent): WebhookPayload {
  const { id, type, seq, objectId, createdAt, object, previous } = publicEvent(event)
  return { id, type, seq, objectId, createdAt, apiVersion: 'v1', data: { object, previous } }
}

/** The changed slots of an event `availability.changed`; null means all providers, all services or any time. */
export interface AvailabilityScope {
  readonly providerIds: readonly number[] | null
  /** A change concerns every service of its providers. */
  readonly serviceIds: null
  /**
   * The earliest start and the latest end of the changed reservations and times off, in Unix seconds; null when not
   * limited. Slots that overlap them, or lie on the same day or in the same week, may have changed as well.
   */
  readonly from: number | null
  readonly until: number | null
}

/** The scope of changes that are not limited to some providers or to a time. */
export const unlimitedScope: AvailabilityScope = { providerIds: null, serviceIds: null, from: null, until: null }

const withoutEffect = new Set(['reservation.updated', 'reservation.zone_changed'])

/** Whether an event of this type in the event log may change which slots are available. */
export function changesAvailability(type: string): boolean {
  return /^(?:reservation|service|provider|time_off|site)\./.test(type) && !withoutEffect.has(type)
}

/**
 * Returns the slots whose availability these events together may have changed, at a site with these services; undefined
 * when no event changes availability.
 */
export function availabilityScope(
  events: readonly LoggedEvent[],
  services: readonly Pick<Service, 'settings'>[],
): AvailabilityScope | undefined {
  const relevant = events.filter(({ type }) => changesAvailability(type))
  if (relevant.length === 0) return undefined
  const isBounded = ({ type, object, previous }: LoggedEvent) =>
    /^(?:reservation|time_off)\./.test(type) && (object !== null || previous !== null)
  if (!relevant.every(isBounded)) return unlimitedScope
  const states = relevant.flatMap(({ object, previous }) => [object, previous].filter((state) => state !== null))
  return {
    providerIds: services.some(dependsOnOthers)
      ? null
      : [...new Set(states.map(({ providerId }) => Number(providerId)))].sort((a, b) => a - b),
    serviceIds: null,
    from: Math.min(...states.map(({ start }) => Number(start))),
    until: Math.max(...states.map(({ end }) => Number(end))),
  }
}

/** Whether the slots of one provider for a service depend on the reservations and times off of other providers. */
function dependsOnOthers({ settings: { routingMode, limits } }: Pick<Service, 'settings'>): boolean {
  return routingMode !== 'direct' || limits.perServiceDay !== undefined
}
