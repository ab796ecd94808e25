import { loadPages, savePageSettings, saveServicePage, saveSlug } from '../../booking-page/settings.sql.ts'
import { isSlug, type PageSettings, type Pages, type ServicePage } from '../../booking-page/settings.ts'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import type { Service } from '../../catalogue/services/service.ts'
import { sameJson } from '../../data.ts'
import type { Tx } from '../../db/perform/app.ts'
import { message } from '../../messages/message.ts'
import type { BookingPageSection, ServicePageEntry, SiteFileFaults } from '../site-file.ts'

interface PlannedService {
  readonly service: Service
  readonly before: ServicePage & { readonly slug: string }
  readonly after: ServicePage & { readonly slug: string }
}

/** The changes that a JSON site file makes to the booking page. */
export interface PlannedPages {
  readonly before: PageSettings
  readonly after: PageSettings
  readonly services: readonly PlannedService[]
}

/**
 * Returns the changes that a JSON site file makes to the booking page, without writing them. `find` returns the service
 * with a key or id.
 */
export async function planPages(
  tx: Tx,
  { services = {}, ...settings }: BookingPageSection,
  { catalogue, find }: { readonly catalogue: Catalogue; readonly find: (reference: string) => Service | undefined },
  faults: SiteFileFaults,
): Promise<PlannedPages> {
  const pages = await loadPages(tx.db, catalogue)
  const claimed = new Set<string>()
  const planned = Object.entries(services).flatMap(([reference, entry]) => {
    const place = `bookingPage.services.${reference}`
    const service = find(reference)
    if (!service) faults.set(place, message('unknown_service_reference', { reference }))
    if (!service) return []
    const { slug } = entry
    if (slug !== undefined && claimed.has(slug)) faults.set(`${place}.slug`, message('slug_taken'))
    else if (slug !== undefined) claimed.add(slug)
    return [planService(pages, service, entry, place, faults)]
  })
  return { before: pages.settings, after: { ...pages.settings, ...settings }, services: planned }
}

function planService(
  pages: Pages,
  service: Service,
  { slug: wanted, ...change }: ServicePageEntry,
  place: string,
  faults: SiteFileFaults,
): PlannedService {
  const before = { ...pages.service(service.id), slug: pages.slugOf(service.id) }
  const slug = wanted ?? before.slug
  const owner = pages.findService(slug)
  if (wanted !== undefined && !isSlug(wanted)) faults.set(`${place}.slug`, message('slug_invalid'))
  else if (owner !== undefined && owner !== service.id) faults.set(`${place}.slug`, message('slug_taken'))
  return { service, before, after: { ...before, ...change, slug } }
}

/**
 * Writes the planned changes of the booking page, with one event for its settings and one for each service; returns the
 * paths of the changed settings and services.
 */
export async function writePages(tx: Tx, { before, after, services }: PlannedPages): Promise<string[]> {
  const was = new Map<string, unknown>(Object.entries(before))
  const changed = Object.entries(after).flatMap(([name, value]) => (sameJson(value, was.get(name)) ? [] : [name]))
  if (changed.length > 0) {
    await savePageSettings(tx.db, after)
    await tx.append({ type: 'booking_page.updated', objectId: 'site', object: { ...after }, previous: { ...before } })
  }
  const names = changed.map((name) => `bookingPage.${name}`)
  for (const one of services) {
    if (sameJson(one.before, one.after)) continue
    await writeService(tx, one)
    names.push(`bookingPage.services.${one.service.name}`)
  }
  return names
}

async function writeService(tx: Tx, { service: { id }, before, after }: PlannedService): Promise<void> {
  const { slug, ...page } = after
  if (slug !== before.slug) await saveSlug(tx.db, { slug, serviceId: id, ordinal: tx.newOrdinal() })
  await saveServicePage(tx.db, id, page)
  await tx.append({ type: 'booking_page.updated', objectId: id, object: { ...after }, previous: { ...before } })
}
