import type { Room } from './offers.ts'
import type { Sql } from './sql.ts'

/** A reservation as an event or a row shows it. */
export interface State {
  readonly id: string
  readonly serviceId: string
  readonly customerId: string
  readonly providerId: number
  readonly start: number
  readonly end: number
  readonly status: string
}

/** A stretch of one provider's time that a reservation takes. */
interface Taken {
  readonly id: string
  readonly at: number
  readonly from: number
  readonly until: number
  readonly slot: string
  readonly seats: number
}

/** The reservations as the table has them, by id. */
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

/**
 * Goes through the log of events change by change: what was sold twice at any moment, and which reservations the log
 * ends with, by id. Transactions that fought for one provider stand in the log in the order of their commits.
 */
export async function replayed(
  sql: Sql,
  rooms: readonly Room[],
): Promise<{ faults: string[]; last: Map<string, State>; changes: number }> {
  const rows = await sql("select object_id, body from event where kind = 'reservation' order by tx, n")
  const last = new Map<string, State>()
  const taken = new Map<number, Taken[]>()
  const faults: string[] = []
  for (const row of rows) {
    const id = String(row.object_id)
    const { object } = JSON.parse(String(row.body)) as { object: State | null }
    for (const [at, all] of taken)
      taken.set(
        at,
        all.filter((one) => one.id !== id),
      )
    if (object === null) last.delete(id)
    else last.set(id, stateOf(object))
    for (const own of object ? takenBy(object, rooms) : []) {
      const others = taken.get(own.at) ?? []
      if (!fits(own, others)) faults.push(`${id} took time of provider ${own.at} that was taken`)
      taken.set(own.at, [...others, own])
    }
  }
  return { faults, last, changes: rows.length }
}

/** Whether all that the reservation would take is free beside these others. */
export function roomBeside(wanted: State, others: readonly State[], rooms: readonly Room[]): boolean {
  const taken = others.flatMap((other) => takenBy(other, rooms))
  return takenBy(wanted, rooms).every((own) =>
    fits(
      own,
      taken.filter((one) => one.at === own.at),
    ),
  )
}

function fits(own: Taken, others: readonly Taken[]): boolean {
  const near = others.filter((other) => other.from < own.until && own.from < other.until)
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
