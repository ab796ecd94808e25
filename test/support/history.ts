import { samePlace } from './booking-rules.ts'
import type { Room } from './offers.ts'
import { Settings } from './room-settings.ts'
import type { Sql, SqlRow } from './sql.ts'

/** A reservation in an event or a row. */
export interface State {
  readonly id: string
  readonly serviceId: string
  readonly customerId: string
  readonly providerId: number
  readonly start: number
  readonly end: number
  readonly status: string
}

/** A provider's time that a calendar blocks between two positions of the event log. */
export interface Block {
  readonly at: number
  readonly from: number
  readonly until: number
  readonly after: number
  readonly before: number
}

/** An interval of one provider's time that a reservation occupies, buffers included. */
export interface Taken {
  readonly id: string
  readonly at: number
  readonly from: number
  readonly until: number
  readonly slot: string
  readonly seats: number
}

/** Returns the reservations of the table by id. */
export async function storedReservations(sql: Sql): Promise<Map<string, State>> {
  const rows = await sql('select id, service_id, customer_id, provider_id, start_at, end_at, status from reservation')
  return new Map(
    rows.map((row) => [
      String(row.id),
      {
        id: String(row.id),
        serviceId: String(row.service_id),
        customerId: String(row.customer_id),
        providerId: Number(row.provider_id),
        start: Number(row.start_at),
        end: Number(row.end_at),
        status: String(row.status),
      },
    ]),
  )
}

/** The result of replaying the event log. */
export interface Replay {
  /** Violations found in the log: time that was booked twice, or booked although a calendar blocked it. */
  readonly faults: readonly string[]
  /** The reservations by id after the last event. */
  readonly last: ReadonlyMap<string, State>
  /** The intervals that these reservations occupy. */
  readonly taken: readonly Taken[]
  /** The number of replayed changes of reservations and of settings. */
  readonly changes: number
  readonly edits: number
}

/**
 * Replays the event log to find double bookings: after each event it compares the reservation's occupied time with all
 * others, under the settings in force at that position. Transactions that compete for a provider are in the log in the
 * order of their commits. Occupied time stays fixed until the reservation moves or is restored.
 */
export async function replayed(sql: Sql, rooms: readonly Room[], blocks: readonly Block[] = []): Promise<Replay> {
  const rows = await sql(
    "select kind, object_id, body from event where kind in ('reservation', 'service', 'provider') order by tx, n",
  )
  const settings = new Settings(rooms)
  const last = new Map<string, State>()
  const taken = new Map<string, readonly Taken[]>()
  const faults: string[] = []
  let changes = 0
  for (const { kind, id, object } of rows.map(eventOf)) {
    if (kind !== 'reservation') {
      settings.follow(kind, id, object)
      continue
    }
    changes += 1
    const before = last.get(id)
    const held = taken.get(id) ?? []
    last.delete(id)
    taken.delete(id)
    if (!object) continue
    const state = stateOf(object)
    last.set(id, state)
    const wanted = takenBy(state, settings.rooms)
    const keeps = before && samePlace(before, state) && held.length > 0 && wanted.length > 0
    if (!keeps)
      faults.push(
        ...wanted
          .filter((own) => blocked(own, blocks, changes))
          .map(({ at }) => `${id} took blocked time of provider ${at}`),
      )
    const others = [...taken.values()].flat()
    const gets = keeps ? held : wanted.map((own) => beside(own, others))
    if (!keeps)
      faults.push(
        ...gets.filter((own) => !fits(own, others)).map(({ at }) => `${id} took time of provider ${at} that was taken`),
      )
    if (gets.length > 0) taken.set(id, gets)
  }
  return { faults, last, taken: [...taken.values()].flat(), changes, edits: settings.edits }
}

function eventOf({ kind, object_id, body }: SqlRow) {
  const { object } = JSON.parse(String(body)) as { object: (State & Readonly<Record<string, unknown>>) | null }
  return { kind: String(kind), id: String(object_id), object }
}

/** Returns the occupied interval of a further seat: that of the slot's other seats, whatever the buffers are now. */
function beside(own: Taken, others: readonly Taken[]): Taken {
  const seat = others.find(({ at, slot }) => at === own.at && slot === own.slot)
  return seat ? { ...own, from: seat.from, until: seat.until } : own
}

function blocked(own: Taken, blocks: readonly Block[], change: number): boolean {
  return blocks.some(
    ({ at, from, until, after, before }) =>
      at === own.at && from < own.until && own.from < until && after < change && change <= before,
  )
}

/** Whether all time that the reservation would occupy is free beside the others. */
export function roomBeside(wanted: State, others: readonly State[], rooms: readonly Room[]): boolean {
  const taken = others.flatMap((other) => takenBy(other, rooms))
  return takenBy(wanted, rooms).every((own) => fits(own, taken))
}

function fits(own: Taken, others: readonly Taken[]): boolean {
  const near = others.filter((other) => other.at === own.at && other.from < own.until && own.from < other.until)
  return near.every((other) => other.slot === own.slot) && near.length < own.seats
}

function takenBy(of: State, rooms: readonly Room[]): Taken[] {
  return rooms
    .filter((room) => room.serviceId === of.serviceId && room.providerId === of.providerId)
    .filter((room) => of.status === 'confirmed' || (of.status === 'pending' && room.pendingTakes))
    .map((room) => ({
      id: of.id,
      at: room.at,
      from: of.start - room.before,
      until: of.end + room.after,
      slot: `${of.serviceId} ${of.start} ${of.end}`,
      seats: room.seats,
    }))
}

function stateOf({ id, serviceId, customerId, providerId, start, end, status }: State): State {
  return { id, serviceId, customerId, providerId, start, end, status }
}
