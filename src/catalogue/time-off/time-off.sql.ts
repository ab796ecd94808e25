import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { prepared } from '../../db/query/prepared.ts'
import { overflowResource, providerResource } from '../../scheduling/plan/resource.ts'
import { maxAppointmentMinutes, maxBufferMinutes } from '../services/service.ts'
import { type BusyRow, type OverlappingBusyValues, overlappingBusy } from './busy.sql.ts'
import type { TimeOff } from './time-off.ts'

/** Inserts a time off of a provider. */
export async function insertTimeOff(db: Database, made: TimeOff): Promise<void> {
  const { id, providerId, start, end, note } = made
  const row = { id, provider_id: providerId, source: 'time_off', start_at: start, end_at: end, note }
  await db.build.insertInto('busy').values(row).execute()
}

/** Returns the time off with the given id; undefined when there is none. */
export async function findTimeOff(db: Database, id: string): Promise<TimeOff | undefined> {
  const row = await db.build
    .selectFrom('busy')
    .selectAll()
    .where('id', '=', id)
    .where('source', '=', 'time_off')
    .executeTakeFirst()
  return row && toTimeOff(row)
}

/** Updates the interval and the note of a time off; the provider cannot change. */
export async function updateTimeOff(db: Database, { id, start, end, note }: TimeOff): Promise<void> {
  await db.build.updateTable('busy').set({ start_at: start, end_at: end, note }).where('id', '=', id).execute()
}

/** Deletes a time off of a provider. */
export async function deleteTimeOff(db: Database, id: string): Promise<void> {
  await db.build.deleteFrom('busy').where('id', '=', id).execute()
}

const overlapping = prepared<OverlappingBusyValues, BusyRow>(
  (_, p, dialect) => sql<BusyRow>`
    select id, provider_id, source, start_at, end_at, note from ${overlappingBusy(dialect, p)}
      and source = 'time_off' order by start_at, id`,
)

/** Returns a provider's time off that overlaps [from, until), in ascending order of start. */
export async function listTimeOff(
  db: Database,
  of: { readonly providerId: number; readonly from: number; readonly until: number },
): Promise<TimeOff[]> {
  const { providerId, from, until } = of
  return (await db.run(overlapping, { providers: [providerId], from, until })).map(toTimeOff)
}

/**
 * Counts the reservations that occupy a provider, alone or together with other providers, and whose appointment,
 * without buffers, overlaps an interval.
 */
export async function countConflicts(db: Database, of: Omit<TimeOff, 'id' | 'note'>): Promise<number> {
  const counted = await db.build
    .selectFrom('occupancy')
    .innerJoin('reservation', 'reservation.id', 'occupancy.reservation_id')
    .select((e) => e.fn.countAll<number>().as('total'))
    .where('occupancy.resource', 'in', [providerResource(of.providerId), overflowResource(of.providerId)])
    // A reservation occupies at most `maxTakenSeconds`, buffers included, so a reservation whose occupancy begins that
    // long or longer before the interval cannot overlap the interval. This condition bounds the index range that is
    // read.
    .where('occupancy.start_at', '>', of.start - maxTakenSeconds)
    .where('occupancy.start_at', '<', of.end + maxBufferSeconds)
    .where('reservation.start_at', '<', of.end)
    .where('reservation.end_at', '>', of.start)
    .executeTakeFirstOrThrow()
  return Number(counted.total)
}

const maxBufferSeconds = maxBufferMinutes * 60
const maxTakenSeconds = maxAppointmentMinutes * 60 + 2 * maxBufferSeconds

function toTimeOff(row: BusyRow): TimeOff {
  return { id: row.id, providerId: row.provider_id, start: row.start_at, end: row.end_at, note: row.note }
}
