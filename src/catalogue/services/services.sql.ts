import type { Database } from '../../db/database.ts'
import type { ServiceTable } from '../../db/query/tables.ts'
import type { FormField } from './booking-form.ts'
import { defaultServiceSettings, type Service, type ServiceSettings } from './service.ts'

/** The values of a new row of the table `service` that are not part of `Service`. */
export interface ServiceOrigin {
  /**
   * The key that identifies the service in the site file (the JSON file that describes the site); null for a service
   * without a key.
   */
  readonly key: string | null
  /** The number by which services are sorted in the order of creation. */
  readonly ordinal: number
  readonly now: number
}

/** Returns the service with the given id; undefined when there is none. */
export async function findService(db: Database, id: string): Promise<Service | undefined> {
  const row = await db.build.selectFrom('service').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toService(row)
}

/** Returns every service in the order of creation. */
export async function listServices(db: Database): Promise<Service[]> {
  const rows = await db.build.selectFrom('service').selectAll().orderBy('ordinal').orderBy('id').execute()
  return rows.map(toService)
}

/** Returns the ids of the services that have a key in the site file, by key. */
export async function listServiceKeys(db: Database): Promise<Map<string, string>> {
  const rows = await db.build.selectFrom('service').select(['id', 'key']).where('key', 'is not', null).execute()
  return new Map(rows.map((row) => [row.key ?? '', row.id]))
}

/** Inserts a service. */
export async function insertService(db: Database, made: Service, { key, ordinal, now }: ServiceOrigin): Promise<void> {
  // A new service gets its ordinal as position. Ordinals are far greater than the positions assigned by sorting (1, 2,
  // …), so a new service comes last in the panel's list of services.
  const row = { ...toRow(made), key, ordinal, position: ordinal, created_at: now, updated_at: now }
  await db.build.insertInto('service').values(row).execute()
}

/** Updates a service, except its key in the site file and its position in the panel's list. */
export async function updateService(db: Database, changed: Service, now: number): Promise<void> {
  const { id, ...columns } = toRow(changed)
  await db.build
    .updateTable('service')
    .set({ ...columns, updated_at: now })
    .where('id', '=', id)
    .execute()
}

/** Stores the key that identifies an existing service in the site file. */
export async function updateServiceKey(db: Database, id: string, key: string): Promise<void> {
  await db.build.updateTable('service').set({ key }).where('id', '=', id).execute()
}

/**
 * Deletes a service, the settings that providers have for it, the counts of its assignments to providers, and its
 * calendar feeds.
 */
export async function deleteService(db: Database, id: string): Promise<void> {
  await db.build.deleteFrom('provider_service').where('service_id', '=', id).execute()
  await db.build.deleteFrom('assignment').where('service_id', '=', id).execute()
  await db.build.deleteFrom('calendar_feed').where('service_id', '=', id).execute()
  await db.build.deleteFrom('service').where('id', '=', id).execute()
}

function toService(row: ServiceTable): Service {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    color: row.color,
    settings: { ...defaultServiceSettings, ...(JSON.parse(row.settings) as Partial<ServiceSettings>) },
    data: JSON.parse(row.data) as Record<string, unknown>,
    form: JSON.parse(row.form) as FormField[],
  }
}

function toRow(
  of: Service,
): Pick<ServiceTable, 'id' | 'name' | 'description' | 'color' | 'settings' | 'data' | 'form'> {
  return {
    id: of.id,
    name: of.name,
    description: of.description,
    color: of.color,
    settings: JSON.stringify(of.settings),
    data: JSON.stringify(of.data),
    form: JSON.stringify(of.form),
  }
}
