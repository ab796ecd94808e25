import { isSameSlot } from './booking-specification.ts'
import { CurrentOccupancyRules } from './current-occupancy-rules.ts'
import type { OccupancyRule } from './offerings.ts'
import type { Sql, SqlRow } from './sql.ts'

/** The fields of a reservation that replaying compares, from an event or a row; times in Unix seconds. */
export interface ReplayedReservation {
  readonly id: string
  readonly serviceId: string
  readonly customerId: string
  readonly providerId: number
  readonly start: number
  readonly end: number
  readonly status: string
}

/**
 * An interval, in Unix seconds, in which a calendar blocks a provider during a part of the event log. `replayLog`
 * numbers the events of reservations from 1, and checks only the events `after` + 1 to `before` against the interval.
 */
export interface BlockedInterval {
  readonly providerId: number
  readonly from: number
  readonly until: number
  readonly after: number
  readonly before: number
}

/**
 * An interval of a provider that a reservation occupies, buffers included, in Unix seconds; `slot` identifies the slot.
 */
export interface OccupiedInterval {
  readonly id: string
  readonly providerId: number
  readonly from: number
  readonly until: number
  readonly slot: string
  readonly seats: number
}

/** Returns the rows of the table `reservation` by id. */
export async function storedReservations(sql: Sql): Promise<Map<string, ReplayedReservation>> {
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
export interface LogReplay {
  /** Violations found in the log: time that was booked twice, or booked although a calendar blocked it. */
  readonly violations: readonly string[]
  /** The reservations by id after the last event. */
  readonly last: ReadonlyMap<string, ReplayedReservation>
  /** The intervals that the reservations of `last` occupy. */
  readonly occupied: readonly OccupiedInterval[]
  /** The number of replayed events of reservations; `edits` is the number of events of services and providers. */
  readonly changes: number
  readonly edits: number
}

/**
 * Replays the event log to find double bookings: whenever a reservation starts to occupy time, for example when it is
 * booked, moved or restored, compares this time with that of all other reservations, under the settings in force at
 * this position of the log. Later changes of settings do not change the time that a reservation occupies. The order of
 * the log suffices, because it contains transactions that compete for a provider in the order of their commits.
 */
export async function replayLog(
  sql: Sql,
  rules: readonly OccupancyRule[],
  blocks: readonly BlockedInterval[] = [],
): Promise<LogReplay> {
  const rows = await sql(
    "select kind, object_id, body from event where kind in ('reservation', 'service', 'provider') order by tx, n",
  )
  const settings = new CurrentOccupancyRules(rules)
  const last = new Map<string, ReplayedReservation>()
  const taken = new Map<string, readonly OccupiedInterval[]>()
  const violations: string[] = []
  let changes = 0
  for (const { kind, id, object } of rows.map(eventOf)) {
    if (kind !== 'reservation') {
      settings.apply(kind, id, object)
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
    const wanted = occupiedBy(state, settings.rules)
    const keeps = before && isSameSlot(before, state) && held.length > 0 && wanted.length > 0
    if (!keeps)
      violations.push(
        ...wanted
          .filter((own) => blocked(own, blocks, changes))
          .map(({ providerId }) => `${id} took blocked time of provider ${providerId}`),
      )
    const others = [...taken.values()].flat()
    const gets = keeps ? held : wanted.map((own) => beside(own, others))
    if (!keeps)
      violations.push(
        ...gets
          .filter((own) => !fits(own, others))
          .map(({ providerId }) => `${id} took time of provider ${providerId} that was taken`),
      )
    if (gets.length > 0) taken.set(id, gets)
  }
  return { violations, last, occupied: [...taken.values()].flat(), changes, edits: settings.edits }
}

function eventOf({ kind, object_id, body }: SqlRow) {
  const { object } = JSON.parse(String(body)) as {
    object: (ReplayedReservation & Readonly<Record<string, unknown>>) | null
  }
  return { kind: String(kind), id: String(object_id), object }
}

/**
 * Returns the interval that a reservation occupies: if other reservations have seats of the same slot, their interval,
 * even if the buffers have changed since; otherwise `own`.
 */
function beside(own: OccupiedInterval, others: readonly OccupiedInterval[]): OccupiedInterval {
  const seat = others.find(({ providerId, slot }) => providerId === own.providerId && slot === own.slot)
  return seat ? { ...own, from: seat.from, until: seat.until } : own
}

function blocked(own: OccupiedInterval, blocks: readonly BlockedInterval[], change: number): boolean {
  return blocks.some(
    ({ providerId, from, until, after, before }) =>
      providerId === own.providerId && from < own.until && own.from < until && after < change && change <= before,
  )
}

/**
 * Returns whether `wanted` fits beside the other reservations: no other slot occupies the same time of a provider, and
 * fewer seats of its slot are taken than the service has.
 */
export function isFreeBeside(
  wanted: ReplayedReservation,
  others: readonly ReplayedReservation[],
  rules: readonly OccupancyRule[],
): boolean {
  const taken = others.flatMap((other) => occupiedBy(other, rules))
  return occupiedBy(wanted, rules).every((own) => fits(own, taken))
}

function fits(own: OccupiedInterval, others: readonly OccupiedInterval[]): boolean {
  const near = others.filter(
    (other) => other.providerId === own.providerId && other.from < own.until && own.from < other.until,
  )
  return near.every((other) => other.slot === own.slot) && near.length < own.seats
}

function occupiedBy(of: ReplayedReservation, rules: readonly OccupancyRule[]): OccupiedInterval[] {
  return rules
    .filter((rule) => rule.serviceId === of.serviceId && rule.providerId === of.providerId)
    .filter((rule) => of.status === 'confirmed' || (of.status === 'pending' && rule.pendingOccupies))
    .map((rule) => ({
      id: of.id,
      providerId: rule.occupiedProviderId,
      from: of.start - rule.before,
      until: of.end + rule.after,
      slot: `${of.serviceId} ${of.start} ${of.end}`,
      seats: rule.seats,
    }))
}

function stateOf({
  id,
  serviceId,
  customerId,
  providerId,
  start,
  end,
  status,
}: ReplayedReservation): ReplayedReservation {
  return { id, serviceId, customerId, providerId, start, end, status }
}
