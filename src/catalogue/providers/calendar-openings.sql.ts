import type { Database } from '../../db/database.ts'
import type { CalendarOpening } from './provider.ts'

/** Returns the bookable time that events of connected calendars add, by provider; each list is sorted by start. */
export async function listOpenings(db: Database): Promise<ReadonlyMap<number, readonly CalendarOpening[]>> {
  const rows = await db.build.selectFrom('calendar_opening').selectAll().orderBy('calendar_id').execute()
  const openings = rows.flatMap((row) =>
    (JSON.parse(row.openings) as CalendarOpening[]).map((opening) => ({ providerId: row.provider_id, opening })),
  )
  const byProvider = Map.groupBy(openings, ({ providerId }) => providerId)
  return new Map(
    [...byProvider].map(([id, of]) => [
      id,
      of.map(({ opening }) => opening).sort((one, other) => one.start - other.start || one.end - other.end),
    ]),
  )
}

/** The input of `saveOpenings`: the times that the events of one connected calendar open for booking. */
export interface OpeningsOfCalendar {
  readonly calendarId: string
  readonly providerId: number
  readonly openings: readonly CalendarOpening[]
}

/** Whether the events of a connected calendar open any time for booking. */
export async function hasOpenings(db: Database, calendarId: string): Promise<boolean> {
  const row = await db.build
    .selectFrom('calendar_opening')
    .select('calendar_id')
    .where('calendar_id', '=', calendarId)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Stores the times that a connected calendar opens for booking, in place of those stored before. Returns whether the
 * stored times have changed; if so, the caller must call `bumpCatalogue`, which changes the version of the catalogue,
 * in the same transaction.
 */
export async function saveOpenings(
  db: Database,
  { calendarId, providerId, openings }: OpeningsOfCalendar,
): Promise<boolean> {
  const row = await db.build
    .selectFrom('calendar_opening')
    .select('openings')
    .where('calendar_id', '=', calendarId)
    .executeTakeFirst()
  const text = openings.length === 0 ? undefined : JSON.stringify(openings)
  if (text === row?.openings) return false
  await db.build.deleteFrom('calendar_opening').where('calendar_id', '=', calendarId).execute()
  if (text !== undefined)
    await db.build
      .insertInto('calendar_opening')
      .values({ calendar_id: calendarId, provider_id: providerId, openings: text })
      .execute()
  return true
}
