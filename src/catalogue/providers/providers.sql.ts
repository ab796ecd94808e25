import type { Database } from '../../db/database.ts'
import type { ProviderServiceTable, ProviderTable } from '../../db/query/tables.ts'
import type { ProviderServiceSettings } from '../services/service.ts'
import type { ProviderService } from '../services/service-settings.ts'
import { listOpenings } from './calendar-openings.sql.ts'
import type { CalendarOpening, DateOverride, Provider, ProviderRecord, Weekly } from './provider.ts'

/**
 * Returns every provider with its settings for services and the bookable time that calendar events open, in ascending
 * order of ids.
 */
export async function listProviders(db: Database): Promise<ProviderRecord[]> {
  const rows = await db.build.selectFrom('provider').selectAll().orderBy('id').execute()
  const settings = await db.build.selectFrom('provider_service').selectAll().orderBy('service_id').execute()
  const services = Map.groupBy(settings, (row) => row.provider_id)
  const openings = await listOpenings(db)
  return rows.map((row) => toProvider(row, services.get(row.id) ?? [], openings.get(row.id)))
}

/**
 * Returns the ids of the providers that have a key in the site file (the JSON file that describes the site), by key.
 */
export async function listProviderKeys(db: Database): Promise<Map<string, number>> {
  const rows = await db.build.selectFrom('provider').select(['id', 'key']).where('key', 'is not', null).execute()
  return new Map(rows.map((row) => [row.key ?? '', row.id]))
}

/** Returns the highest provider id ever assigned, even to a removed provider, so that new providers get unused ids. */
export async function loadLastProvider(db: Database): Promise<number> {
  const row = await db.build
    .selectFrom('site')
    .select(['last_provider', (e) => e.selectFrom('provider').select(e.fn.max('id').as('id')).as('highest')])
    .executeTakeFirstOrThrow()
  return Math.max(row.last_provider, row.highest ?? 0)
}

/**
 * Deletes a provider with its time off, calendars and settings, and records the highest provider id assigned so far.
 */
export async function deleteProvider(db: Database, id: number): Promise<void> {
  await db.build
    .updateTable('site')
    .set({ last_provider: await loadLastProvider(db) })
    .execute()
  for (const table of ['calendar_item', 'calendar_watch'] as const)
    await db.build
      .deleteFrom(table)
      .where('calendar_id', 'in', (e) => e.selectFrom('connected_calendar').select('id').where('provider_id', '=', id))
      .execute()
  for (const table of tablesOfProvider) await db.build.deleteFrom(table).where('provider_id', '=', id).execute()
  await db.build.deleteFrom('provider').where('id', '=', id).execute()
}

const tablesOfProvider = [
  ...(['busy', 'connected_calendar', 'calendar_account', 'calendar_destination', 'calendar_opening'] as const),
  ...(['calendar_event', 'calendar_feed', 'assignment'] as const),
]

/** Inserts a provider without its settings for services (see `saveProviderService`). */
export async function insertProvider(
  db: Database,
  made: Provider,
  { key, now }: { readonly key: string | null; readonly now: number },
): Promise<void> {
  const row = { ...toRow(made), id: made.id, key, created_at: now, updated_at: now }
  await db.build.insertInto('provider').values(row).execute()
}

/** Updates a provider without its settings for services (see `saveProviderService`). */
export async function updateProvider(db: Database, changed: Provider, now: number): Promise<void> {
  await db.build
    .updateTable('provider')
    .set({ ...toRow(changed), updated_at: now })
    .where('id', '=', changed.id)
    .execute()
}

/** Stores the key that identifies an existing provider in the site file. */
export async function updateProviderKey(db: Database, id: number, key: string): Promise<void> {
  await db.build.updateTable('provider').set({ key }).where('id', '=', id).execute()
}

/** Replaces the settings and the integration data of one provider for one service. */
export async function saveProviderService(
  db: Database,
  of: { readonly providerId: number; readonly serviceId: string; readonly kept: ProviderService },
): Promise<void> {
  const columns = { settings: JSON.stringify(of.kept.settings), data: JSON.stringify(of.kept.data) }
  await db.build
    .insertInto('provider_service')
    .values({ provider_id: of.providerId, service_id: of.serviceId, ...columns })
    .onConflict((conflict) => conflict.columns(['provider_id', 'service_id']).doUpdateSet(columns))
    .execute()
}

function toProvider(
  row: ProviderTable,
  services: readonly ProviderServiceTable[],
  openings: readonly CalendarOpening[] | undefined,
): ProviderRecord {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    timezone: row.timezone,
    restrictServices: row.restrict_services === 1,
    allowedServices: JSON.parse(row.allowed_services) as string[],
    weekly: JSON.parse(row.weekly) as Weekly,
    overrides: JSON.parse(row.overrides) as DateOverride[],
    ...(openings && { openings }),
    doubleBooking: row.double_booking === 1,
    meetingLink: row.meeting_link,
    services: new Map(services.map((of) => [of.service_id, JSON.parse(of.settings) as ProviderServiceSettings])),
    serviceData: new Map(services.map((of) => [of.service_id, JSON.parse(of.data) as Record<string, unknown>])),
  }
}

function toRow(of: Provider): Omit<ProviderTable, 'id' | 'key' | 'created_at' | 'updated_at'> {
  return {
    name: of.name,
    email: of.email,
    timezone: of.timezone,
    restrict_services: of.restrictServices ? 1 : 0,
    allowed_services: JSON.stringify(of.allowedServices),
    weekly: JSON.stringify(of.weekly),
    overrides: JSON.stringify(of.overrides),
    double_booking: of.doubleBooking ? 1 : 0,
    meeting_link: of.meetingLink ?? '',
  }
}
