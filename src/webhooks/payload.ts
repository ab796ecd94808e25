import { type LoggedEvent, publicEvent } from '../history/event.ts'

/** The JSON that a delivery sends to an endpoint, unless a template changes it. */
export interface WebhookPayload {
  /** The id of the event, sent in the header `webhook-id` and the same for every attempt. */
  readonly id: string
  readonly type: string
  /** The position of the event in the event feed. Positions sort as text. */
  readonly seq: string
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
  const { id, type, seq, createdAt, object, previous } = publicEvent(event)
  return { id, type, seq, createdAt, apiVersion: 'v1', data: { object, previous } }
}

/** The slots that an event `availability.changed` concerns; null means all providers, all services or any time. */
export interface AvailabilityScope {
  readonly providerIds: readonly number[] | null
  readonly serviceIds: readonly string[] | null
  /**
   * The earliest start and the latest end of the changed reservations and times off, in Unix seconds; null when not
   * limited.
   */
  readonly from: number | null
  readonly until: number | null
}

const withoutEffect = new Set(['reservation.updated', 'reservation.zone_changed'])

/** Whether an event of this type in the event log may change which slots are available. */
export function changesAvailability(type: string): boolean {
  return /^(?:reservation|service|provider|time_off|site)\./.test(type) && !withoutEffect.has(type)
}

/**
 * Returns the slots whose availability these events together may have changed; undefined when no event changes
 * availability.
 */
export function availabilityScope(events: readonly LoggedEvent[]): AvailabilityScope | undefined {
  const relevant = events.filter(({ type }) => changesAvailability(type))
  if (relevant.length === 0) return undefined
  const everything = { providerIds: null, serviceIds: null, from: null, until: null }
  const isBounded = ({ type, object, previous }: LoggedEvent) =>
    /^(?:reservation|time_off)\./.test(type) && (object !== null || previous !== null)
  if (!relevant.every(isBounded)) return everything
  const states = relevant.flatMap(({ object, previous }) => [object, previous].filter((state) => state !== null))
  return {
    providerIds: [...new Set(states.map(({ providerId }) => Number(providerId)))].sort((a, b) => a - b),
    // A time off concerns every service of its provider, so services are listed only when all events are about
    // reservations.
    serviceIds: relevant.every(({ type }) => type.startsWith('reservation.'))
      ? [...new Set(states.map(({ serviceId }) => String(serviceId)))].sort()
      : null,
    from: Math.min(...states.map(({ start }) => Number(start))),
    until: Math.max(...states.map(({ end }) => Number(end))),
  }
}
