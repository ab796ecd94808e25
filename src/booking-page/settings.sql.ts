import type { Catalogue } from '../catalogue/catalogue.ts'
import { listServiceOrder } from '../catalogue/services/service-order.sql.ts'
import type { Database } from '../db/database.ts'
import {
  defaultPageSettings,
  defaultServicePage,
  type PageSettings,
  type Pages,
  type ServicePage,
  slugsOf,
} from './settings.ts'

// A cache of the booking page's settings by catalogue object. Readers of one catalogue version share one object, and
// every edit of the settings changes the version, so the cache is never stale.
const cached = new WeakMap<Catalogue, Promise<Pages>>()

/** Returns the settings of the booking page that belong to a version of the catalogue, from the cache if possible. */
export function loadPages(db: Database, catalogue: Catalogue): Promise<Pages> {
  const known = cached.get(catalogue)
  if (known) return known
  const reading = readPages(db, catalogue)
  cached.set(catalogue, reading)
  reading.then(undefined, () => cached.delete(catalogue))
  return reading
}

async function readPages(db: Database, { services }: Catalogue): Promise<Pages> {
  const page = await db.build.selectFrom('booking_page').select('body').where('id', '=', 'site').executeTakeFirst()
  const rows = await db.build.selectFrom('service_page').selectAll().execute()
  const slugs = await db.build.selectFrom('service_slug').selectAll().orderBy('ordinal').execute()
  const pages = new Map(
    rows.map(({ service_id, body }) => [
      service_id,
      { ...defaultServicePage, ...(JSON.parse(body) as Partial<ServicePage>) },
    ]),
  )
  const own = slugsOf(
    services.map(({ name }) => name),
    'service',
    slugs.map(({ slug }) => slug),
  )
  const positions = new Map((await listServiceOrder(db)).map((id, position) => [id, position]))
  const slugOfService = new Map(services.map(({ id }, index) => [id, own[index] ?? id]))
  const serviceOfSlug = new Map([...slugOfService].map(([id, slug]) => [slug, id]))
  for (const { slug, service_id } of slugs) {
    if (!slugOfService.has(service_id)) continue
    serviceOfSlug.set(slug, service_id)
    slugOfService.set(service_id, slug)
  }
  const settings = { ...defaultPageSettings, ...(JSON.parse(page?.body ?? '{}') as Partial<PageSettings>) }
  return {
    settings,
    service: (id) => pages.get(id) ?? defaultServicePage,
    slugOf: (id) => slugOfService.get(id) ?? id,
    findService: (slug) => serviceOfSlug.get(slug),
    positionOf: (id) => positions.get(id),
  }
}

/**
 * Stores the settings of the booking page. In the same transaction, the caller must call `bumpCatalogue`, which
 * invalidates cached settings.
 */
export async function savePageSettings(db: Database, settings: PageSettings): Promise<void> {
  const body = JSON.stringify(settings)
  await db.build
    .insertInto('booking_page')
    .values({ id: 'site', body })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ body }))
    .execute()
}

/**
 * Stores how a service appears on the booking page. In the same transaction, the caller must call `bumpCatalogue`,
 * which invalidates cached settings.
 */
export async function saveServicePage(db: Database, serviceId: string, page: ServicePage): Promise<void> {
  const body = JSON.stringify(page)
  await db.build
    .insertInto('service_page')
    .values({ service_id: serviceId, body })
    .onConflict((conflict) => conflict.column('service_id').doUpdateSet({ body }))
    .execute()
}

/**
 * Stores a slug (the last segment of the path of a service's page) as the current one of a service; earlier slugs
 * remain valid. In the same transaction, the caller must call `bumpCatalogue`, which invalidates cached settings.
 */
export async function saveSlug(
  db: Database,
  { slug, serviceId, ordinal }: { readonly slug: string; readonly serviceId: string; readonly ordinal: number },
): Promise<void> {
  const row = { service_id: serviceId, ordinal }
  await db.build
    .insertInto('service_slug')
    .values({ slug, ...row })
    .onConflict((conflict) => conflict.column('slug').doUpdateSet(row))
    .execute()
}
