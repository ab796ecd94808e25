import type { SequentialSpecification } from './linearizability.ts'
import type { OccupancyRule } from './offerings.ts'

/** The service, provider, start and end of a reservation; times in Unix seconds. */
export interface BookedSlot {
  readonly serviceId: string
  readonly providerId: number
  readonly start: number
  readonly end: number
}

type Status = 'pending' | 'confirmed' | 'cancelled'

/** A stored reservation, identified by the unique mark that the client wrote into the reservation's data. */
export interface StoredBooking extends BookedSlot {
  readonly mark: string
  readonly status: Status
}

/** A request of a client that competes with others for the time of the same providers. */
export type BookingRequest =
  | { readonly kind: 'add'; readonly mark: string; readonly slot: BookedSlot; readonly status: Status }
  | {
      readonly kind: 'edit'
      readonly mark: string
      readonly change: Partial<BookedSlot> & { readonly status?: Status }
    }
  | { readonly kind: 'remove'; readonly mark: string }
  | { readonly kind: 'list' }
  /** Asks which of the given slots, all of one service with one provider, can be booked. */
  | { readonly kind: 'slots'; readonly slots: readonly BookedSlot[] }

/** The state of the specification: the existing reservations, each by the unique mark in its data. */
export type BookingState = ReadonlyMap<string, StoredBooking>

/**
 * The rules of booking as a sequential specification, against which the recorded responses are checked for
 * linearizability.
 */
export function bookingSpecification(
  rules: readonly OccupancyRule[],
): SequentialSpecification<BookingState, BookingRequest> {
  const occupiedBy = occupiedTimes(rules)

  /**
   * Returns whether a slot can be booked: fewer reservations have the slot than it has seats, and no other slot
   * occupies its providers at that time. The reservation with the mark `except` does not count.
   */
  function hasRoom(state: BookingState, slot: BookedSlot, except: string): boolean {
    return occupiedBy(slot).every((own) => {
      let seats = 0
      for (const other of state.values()) {
        if (other.mark === except) continue
        for (const taken of occupiedBy(other)) {
          if (!isOccupying(other.status, taken.rule)) continue
          if (
            taken.rule.occupiedProviderId !== own.rule.occupiedProviderId ||
            taken.from >= own.until ||
            own.from >= taken.until
          )
            continue
          if (taken.slot !== own.slot) return false
          seats += 1
        }
      }
      return seats < own.rule.seats
    })
  }

  function edited(
    state: BookingState,
    before: StoredBooking,
    after: StoredBooking,
  ): { response: string; next: BookingState } {
    const done = { response: 'done', next: new Map(state).set(after.mark, after) }
    if (after.status === 'cancelled') return done
    const moved = !isSameSlot(before, after)
    const comes = before.status === 'cancelled'
    const takes = (one: StoredBooking) => occupiedBy(one).every(({ rule }) => isOccupying(one.status, rule))
    if (moved || comes || (takes(after) && !takes(before)))
      return hasRoom(state, after, after.mark) ? done : { response: 'no room', next: state }
    return done
  }

  return {
    initial: new Map(),
    stateKey: (state) => formatReservations(state),
    apply: (state, request) => {
      switch (request.kind) {
        case 'list':
          return { response: formatReservations(state), next: state }
        case 'slots':
          return { response: formatStarts(request.slots.filter((slot) => hasRoom(state, slot, ''))), next: state }
        case 'add': {
          const { mark, slot, status } = request
          if (!hasRoom(state, slot, '')) return { response: 'no room', next: state }
          return { response: 'done', next: new Map(state).set(mark, { mark, ...slot, status }) }
        }
        case 'remove': {
          if (!state.has(request.mark)) return { response: 'gone', next: state }
          const next = new Map(state)
          next.delete(request.mark)
          return { response: 'done', next }
        }
        case 'edit': {
          const before = state.get(request.mark)
          return before ? edited(state, before, { ...before, ...request.change }) : { response: 'gone', next: state }
        }
      }
    },
  }
}

/** Formats the response to a listing of reservations, sorted so that equal sets of reservations give equal strings. */
export function formatReservations(reservations: BookingState): string {
  return [...reservations.values()]
    .map(({ mark, serviceId, providerId, start, end, status }) =>
      [mark, serviceId, providerId, start, end, status].join(' '),
    )
    .sort()
    .join('\n')
}

/** Formats the response to a listing of the slots of one service with one provider: their starts, sorted. */
export function formatStarts(slots: readonly BookedSlot[]): string {
  return slots
    .map(({ start }) => start)
    .sort()
    .join(' ')
}

interface OccupiedTime {
  readonly rule: OccupancyRule
  readonly from: number
  readonly until: number
  readonly slot: string
}

function occupiedTimes(rules: readonly OccupancyRule[]): (slot: BookedSlot) => readonly OccupiedTime[] {
  const known = new Map<string, OccupiedTime[]>()
  return ({ serviceId, providerId, start, end }) => {
    const slot = `${serviceId} ${start} ${end}`
    const key = `${slot} ${providerId}`
    let found = known.get(key)
    if (!found) {
      found = rules
        .filter((rule) => rule.serviceId === serviceId && rule.providerId === providerId)
        .map((rule) => ({ rule, from: start - rule.before, until: end + rule.after, slot }))
      known.set(key, found)
    }
    return found
  }
}

function isOccupying(status: Status, { pendingOccupies }: OccupancyRule): boolean {
  return status === 'confirmed' || (status === 'pending' && pendingOccupies)
}

/** Returns whether two slots have the same service, provider, start and end. */
export function isSameSlot(one: BookedSlot, other: BookedSlot): boolean {
  return (
    one.serviceId === other.serviceId &&
    one.providerId === other.providerId &&
    one.start === other.start &&
    one.end === other.end
  )
}
