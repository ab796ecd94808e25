import type { Booked, Plan } from './plan.ts'
import { countReservations, type ReservationCounts } from './reservation-counts.ts'

/**
 * The reservations from which slots are computed, grouped by provider and by service; each group is built on first use.
 */
export interface BookingIndex {
  ofService(serviceId: string): ReservationCounts
  /**
   * Returns the provider's reservations of all services, including the collective ones that occupy the provider but are
   * stored under another.
   */
  ofProvider(providerId: number): ReservationCounts
  /** Returns the provider's reservations of one service, by start. */
  ofBoth(serviceId: string, providerId: number): readonly Booked[]
}

const empty = countReservations([])
/** The result of `countsOf` when no slot has reservations. */
export const noCounts: ReadonlyMap<number, number> = new Map()

/** Creates a booking index of reservations in any order; each group is sorted once, on first use. */
export function bookingIndexOf({ booked, shared }: Pick<Plan, 'booked' | 'shared'>): BookingIndex {
  if (booked.length + shared.length === 0) return { ofService: () => empty, ofProvider: () => empty, ofBoth: () => [] }
  const services = new Map<string, ReservationCounts>()
  const providers = new Map<number, ReservationCounts>()
  const both = new Map<string, Map<number, readonly Booked[]>>()
  return {
    ofService: (id) => kept(services, id, () => countReservations(booked.filter((one) => one.serviceId === id))),
    ofProvider: (id) =>
      kept(providers, id, () => countReservations([...booked, ...shared].filter((one) => one.providerId === id))),
    ofBoth: (serviceId, providerId) => kept(both, serviceId, () => byProvider(booked, serviceId)).get(providerId) ?? [],
  }
}

/**
 * Returns the number of reservations of each slot by its start; starts without reservations are absent. Reservations
 * whose length is not `duration` are not counted. `sorted` (by start) and `starts` are ascending.
 */
export function countsOf(
  sorted: readonly Booked[],
  starts: readonly number[],
  duration: number,
): ReadonlyMap<number, number> {
  let counts: Map<number, number> | undefined
  let next = 0
  for (const { start, end } of sorted) {
    while (next < starts.length && (starts[next] ?? start) < start) next += 1
    if (next === starts.length) break
    if (starts[next] !== start || end - start !== duration) continue
    counts ??= new Map()
    counts.set(start, (counts.get(start) ?? 0) + 1)
  }
  return counts ?? noCounts
}

function byProvider(booked: readonly Booked[], serviceId: string): Map<number, readonly Booked[]> {
  const lists = new Map<number, Booked[]>()
  let last: Booked[] | undefined
  let lastId = 0
  for (const one of booked) {
    if (one.serviceId !== serviceId) continue
    // Reservations are mostly grouped by provider, so the group of the previous reservation is tried before the map
    // lookup.
    if (!last || one.providerId !== lastId) {
      last = lists.get(one.providerId) ?? []
      lists.set(one.providerId, last)
      lastId = one.providerId
    }
    last.push(one)
  }
  for (const list of lists.values()) if (!rises(list)) list.sort((one, other) => one.start - other.start)
  return lists
}

function rises(list: readonly Booked[]): boolean {
  let previous = Number.NEGATIVE_INFINITY
  for (const { start } of list) {
    if (start < previous) return false
    previous = start
  }
  return true
}

function kept<Key, Value>(known: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = known.get(key)
  if (found !== undefined) return found
  const made = make()
  known.set(key, made)
  return made
}
