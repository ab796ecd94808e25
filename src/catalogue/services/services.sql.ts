import type { Database } from '../../db/database.ts'
import type { ServiceTable } from '../../db/query/tables.ts'
import type { FormField } from './booking-form.ts'
import { defaultServiceSettings, type Service, type ServiceSettings } from './service.ts'

/** What a new service's row holds beside the record. */
export interface ServiceOrigin {
  /** The name its site file gave it. */
  readonly key: string | null
  /** Its place in the order of creation. */
  readonly ordinal: number
  readonly now: number
}

/** The service, or undefined when there is none. */
export async function findService(db: Database, id: string): Promise<Service | undefined> {
  const row = await db.build.selectFrom('service').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toService(row)
}

/** Every service, in the order of creation. */
export async function listServices(db: Database): Promise<Service[]> {
  const rows = await db.build.selectFrom('service').selectAll().orderBy('ordinal').orderBy('id').execute()
  return rows.map(toService)
}

/** Site-file key → id, of the services that have a key. */
export async function listServiceKeys(db: Database): Promise<Map<string, string>> {
  const rows = await db.build.selectFrom('service').select(['id', 'key']).where('key', 'is not', null).execute()
  return new Map(rows.map((row) => [row.key ?? '', row.id]))
}

/** Writes a new service. */
export async function insertService(db: Database, made: Service, { key, ordinal, now }: ServiceOrigin): Promise<void> {
  // The last of all: positions that people gave are small numbers.
  const row = { ...toRow(made), key, ordinal, position: ordinal, created_at: now, updated_at: now }
  await db.build.insertInto('service').values(row).execute()
}

/** Writes what a service has become. */
export async function updateService(db: Database, changed: Service, now: number): Promise<void> {
  const { id, ...columns } = toRow(changed)
  await db.build
    .updateTable('service')
    .set({ ...columns, updated_at: now })
    .where('id', '=', id)
    .execute()
}

/** Remembers the name a site file gives to a service that is there already. */
export async function updateServiceKey(db: Database, id: string, key: string): Promise<void> {
  await db.build.updateTable('service').set({ key }).where('id', '=', id).execute()
}

/** Deletes the service with all providers' settings for it and the counts of its assignments. */
export async function deleteService(db: Database, id: string): Promise<void> {
  await db.build.deleteFrom('provider_service').where('service_id', '=', id).execute()
  await db.build.deleteFrom('assignment').where('service_id', '=', id).execute()
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
