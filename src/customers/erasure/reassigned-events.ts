import { sameJson } from '../../data.ts'
import type { LoggedEvent } from '../../history/event.ts'

type Data = Readonly<Record<string, unknown>>

/** The log of a reservation since it was reassigned from a customer who is now erased. */
export interface LogSinceReassignment {
  /** The integration data of the reservation when it was reassigned. */
  readonly data: Data
  /** The events of the reservation from the reassignment on, in the order of the log. */
  readonly since: readonly LoggedEvent[]
}

/** Returns the entries of integration data that a reservation did not have when it was reassigned. */
export function dataSince(data: Data, before: Data): Data {
  return Object.fromEntries(Object.entries(data).filter(([key, value]) => !sameJson(value, before[key])))
}

/**
 * Returns what remains of the events of reassigned reservations when the customers `erased` are erased: the states in
 * which a reservation belongs to another customer, without the integration data that the reservation had from an erased
 * customer, and without texts and sources, which may be about that customer. An event whose last state belongs to an
 * erased customer does not remain.
 */
export function eventsOfOthers(logs: readonly LogSinceReassignment[], erased: readonly string[]): LoggedEvent[] {
  const left = new Map<string, LoggedEvent>()
  for (const { data, since } of logs)
    for (const event of since) {
      const { object, previous } = left.get(event.id) ?? event
      const now = stateOfOther(object, { data, erased })
      const before = stateOfOther(previous, { data, erased })
      if (object ? now : before) left.set(event.id, { ...event, object: now, previous: before })
    }
  return [...left.values()]
}

// These fields contain no personal data. Every other field is erased, so that a new field is not overlooked.
const remainingFields = [
  ...['id', 'serviceId', 'customerId', 'providerId', 'availabilityId', 'start', 'end', 'status', 'created', 'updated'],
  ...['expires', 'awaits', 'attendance', 'meeting', 'payment', 'fullPrice', 'refund', 'notifyCustomer'],
]

function stateOfOther(
  state: Data | null,
  { data, erased }: { readonly data: Data; readonly erased: readonly string[] },
): Data | null {
  if (typeof state?.customerId !== 'string' || erased.includes(state.customerId)) return null
  const remaining = Object.entries(state).filter(([name]) => remainingFields.includes(name))
  const own = typeof state.data === 'object' && state.data !== null ? dataSince({ ...state.data }, data) : {}
  return { ...Object.fromEntries(remaining), data: own }
}
