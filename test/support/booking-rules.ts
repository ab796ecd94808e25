import type { Rules } from './linear.ts'
import type { Room } from './offers.ts'

/** The slot of a reservation. */
export interface Place {
  readonly serviceId: string
  readonly providerId: number
  readonly start: number
  readonly end: number
}

type Status = 'pending' | 'confirmed' | 'cancelled'

/** A stored reservation, identified by the mark that its client put into its data. */
export interface StoredPlace extends Place {
  readonly mark: string
  readonly status: Status
}

/** A request to providers who share appointments. */
export type BookingRequest =
  | { readonly ask: 'add'; readonly mark: string; readonly place: Place; readonly status: Status }
  | { readonly ask: 'edit'; readonly mark: string; readonly change: Partial<Place> & { readonly status?: Status } }
  | { readonly ask: 'remove'; readonly mark: string }
  | { readonly ask: 'list' }
  /** Asks which of these places, all of one service with one provider, can be booked. */
  | { readonly ask: 'slots'; readonly places: readonly Place[] }

/** The existing reservations by mark. */
export type Diary = ReadonlyMap<string, StoredPlace>

/** The rules of booking as a sequential specification, against which recorded responses (`said`) are checked. */
export function bookingRules(rooms: readonly Room[]): Rules<Diary, BookingRequest> {
  const taking = takings(rooms)

  /** Whether a place has room beside all other reservations, leaving out the one with this mark. */
  function hasRoom(state: Diary, place: Place, except: string): boolean {
    return taking(place).every((own) => {
      let seats = 0
      for (const other of state.values()) {
        if (other.mark === except) continue
        for (const taken of taking(other)) {
          if (!takesRoom(other.status, taken.room)) continue
          if (taken.room.at !== own.room.at || taken.from >= own.until || own.from >= taken.until) continue
          if (taken.slot !== own.slot) return false
          seats += 1
        }
      }
      return seats < own.room.seats
    })
  }

  function edited(state: Diary, before: StoredPlace, after: StoredPlace): { said: string; next: Diary } {
    const done = { said: 'done', next: new Map(state).set(after.mark, after) }
    if (after.status === 'cancelled') return done
    const moved = !samePlace(before, after)
    const comes = before.status === 'cancelled'
    const takes = (one: StoredPlace) => taking(one).every(({ room }) => takesRoom(one.status, room))
    if (moved || comes || (takes(after) && !takes(before)))
      return hasRoom(state, after, after.mark) ? done : { said: 'no room', next: state }
    return done
  }

  return {
    first: new Map(),
    name: (state) => listed(state),
    happen: (state, asked) => {
      switch (asked.ask) {
        case 'list':
          return { said: listed(state), next: state }
        case 'slots':
          return { said: starts(asked.places.filter((place) => hasRoom(state, place, ''))), next: state }
        case 'add': {
          const { mark, place, status } = asked
          if (!hasRoom(state, place, '')) return { said: 'no room', next: state }
          return { said: 'done', next: new Map(state).set(mark, { mark, ...place, status }) }
        }
        case 'remove': {
          if (!state.has(asked.mark)) return { said: 'gone', next: state }
          const next = new Map(state)
          next.delete(asked.mark)
          return { said: 'done', next }
        }
        case 'edit': {
          const before = state.get(asked.mark)
          return before ? edited(state, before, { ...before, ...asked.change }) : { said: 'gone', next: state }
        }
      }
    },
  }
}

/** Formats the response to a listing of reservations. */
export function listed(kept: Diary): string {
  return [...kept.values()]
    .map(({ mark, serviceId, providerId, start, end, status }) =>
      [mark, serviceId, providerId, start, end, status].join(' '),
    )
    .sort()
    .join('\n')
}

/** Formats the response to a listing of slots of one service with one provider. */
export function starts(places: readonly Place[]): string {
  return places
    .map(({ start }) => start)
    .sort()
    .join(' ')
}

interface Taking {
  readonly room: Room
  readonly from: number
  readonly until: number
  readonly slot: string
}

function takings(rooms: readonly Room[]): (place: Place) => readonly Taking[] {
  const known = new Map<string, Taking[]>()
  return ({ serviceId, providerId, start, end }) => {
    const slot = `${serviceId} ${start} ${end}`
    const key = `${slot} ${providerId}`
    let found = known.get(key)
    if (!found) {
      found = rooms
        .filter((room) => room.serviceId === serviceId && room.providerId === providerId)
        .map((room) => ({ room, from: start - room.before, until: end + room.after, slot }))
      known.set(key, found)
    }
    return found
  }
}

function takesRoom(status: Status, { pendingTakes }: Room): boolean {
  return status === 'confirmed' || (status === 'pending' && pendingTakes)
}

/** Whether two places are the same slot with the same provider. */
export function samePlace(one: Place, other: Place): boolean {
  return (
    one.serviceId === other.serviceId &&
    one.providerId === other.providerId &&
    one.start === other.start &&
    one.end === other.end
  )
}
