import { sameJson } from '../../data.ts'
import type { LoggedEvent } from '../../history/event.ts'

type Data = Readonly<Record<string, unknown>>

/** A part of the log of a reservation that belonged to a customer who is now erased and to another customer. */
export interface SharedLog {
  /** The integration data that the reservation had from the erased customer before this part of the log. */
  readonly data: Data
  /** The events of the reservation, in the order of the log. */
  readonly events: readonly LoggedEvent[]
}

/** Returns the entries of integration data that a reservation did not have when it was reassigned. */
export function dataSince(data: Data, before: Data): Data {
  return Object.fromEntries(Object.entries(data).filter(([key, value]) => !sameJson(value, before[key])))
}

/**
 * Returns the events of the log of a reservation up to and including the first one with a state in which it belongs to
 * one of these customers.
 */
export function eventsBefore(log: readonly LoggedEvent[], customerIds: readonly string[]): readonly LoggedEvent[] {
  const isTheirs = (state: Data | null): boolean => customerIds.includes(String(state?.customerId))
  const first = log.findIndex(({ object, previous }) => isTheirs(object) || isTheirs(previous))
  return log.slice(0, first + 1)
}

/**
 * Returns what remains of the events of these parts of logs when the customers `erased` are erased: the states in which
 * a reservation belongs to another customer, without the integration data that the reservation had from an erased
 * customer, and without texts and sources, which may be about that customer. The state in which a reservation got an
 * erased customer from another one remains with an empty customer id, so that the log tells until when the reservation
 * belonged to the other one.
 */
export function eventsOfOthers(logs: readonly SharedLog[], erased: readonly string[]): LoggedEvent[] {
  const left = new Map<string, LoggedEvent>()
  for (const { data, events } of logs)
    for (const event of events) {
      const { object, previous } = left.get(event.id) ?? event
      const now = stateOfOther(object, { data, erased })
      const before = stateOfOther(previous, { data, erased })
      if (!now && !before) continue
      left.set(event.id, { ...event, object: now ?? (object && stateOfNobody(object)), previous: before })
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
  const own = typeof state.data === 'object' && state.data !== null ? dataSince({ ...state.data }, data) : {}
  return { ...remaining(state), data: own }
}

// The id of the erased customer does not remain, because staff may use the customer's row for another customer.
function stateOfNobody(state: Data): Data {
  return { ...remaining(state), customerId: '', data: {} }
}

function remaining(state: Data): Data {
  return Object.fromEntries(Object.entries(state).filter(([name]) => remainingFields.includes(name)))
}
