import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import { listProviderKeys, loadLastProvider } from '../../catalogue/providers/providers.sql.ts'
import { listServiceKeys } from '../../catalogue/services/services.sql.ts'
import { contrastFault } from '../../catalogue/site/appearance.ts'
import { bumpCatalogue, updateSite } from '../../catalogue/site/site.sql.ts'
import type { Site } from '../../catalogue/site/site.ts'
import type { Customer } from '../../customers/customer.ts'
import { sameJson } from '../../data.ts'
import type { Operation, Tx } from '../../db/perform/app.ts'
import { siteFileRefusal } from '../check.ts'
import type { Keyed } from '../site-file.sql.ts'
import type { SiteFile, SiteFileFaults, SiteReport, SiteSection } from '../site-file.ts'
import { planPages, writePages } from './booking-page.operations.ts'
import { loadCustomers, planCustomers, writeCustomers } from './customers.operations.ts'
import type { PlannedRow } from './match.operations.ts'
import { planProviders, writeProviders } from './providers.operations.ts'
import { planReservations, writeReservations } from './reservations.operations.ts'
import { planServices, writeServices } from './services.operations.ts'
import type { SiteState } from './state.operations.ts'

/**
 * Applies a valid JSON site file to the site, completely or not at all; a refusal lists the faults by their paths. Rows
 * that are not in the file are unchanged, and applying the file again changes nothing.
 */
export const applySite: Operation<SiteFile, SiteReport> = async (tx, file) => {
  await tx.lock(['catalogue!', 'customers!'])
  const faults: SiteFileFaults = new Map()
  const catalogue = await loadCatalogue(tx.db)
  const site = siteAfter(catalogue.site, file.site ?? {})
  const colorFault = contrastFault(file.site?.appearance?.color)
  if (colorFault) faults.set('site.appearance.color', colorFault)
  const serviceKeys = await listServiceKeys(tx.db)
  const providerKeys = await listProviderKeys(tx.db)
  const services = planServices(tx, file.services ?? [], { services: catalogue.services, keys: serviceKeys }, faults)
  const serviceOf = finder(catalogue.services, serviceKeys, services)
  const known = {
    providers: catalogue.providers,
    keys: providerKeys,
    last: await loadLastProvider(tx.db),
    site,
    serviceId: (reference: string) => serviceOf(reference)?.id,
  }
  const providers = planProviders(file.providers ?? [], known, faults)
  const references = (file.reservations ?? []).map(({ customer }) => customer)
  const customersThere = await loadCustomers(tx, file.customers ?? [], references)
  const customers = planCustomers(tx, file.customers ?? [], customersThere, faults)
  const world: SiteState = {
    site,
    providers: merged(catalogue.providers, providers),
    service: serviceOf,
    provider: finder(catalogue.providers, providerKeys, providers),
    customer: finder(rowsOf(customersThere), keysOf(customersThere), customers),
  }
  const reservations = await planReservations(tx, file.reservations ?? [], world, faults)
  const pages = await planPages(tx, file.bookingPage ?? {}, { catalogue, find: serviceOf }, faults)
  refuseFaults(faults)

  const report = {
    site: await writeSite(tx, catalogue.site, site),
    services: await writeServices(tx, services),
    providers: await writeProviders(tx, providers),
    customers: await writeCustomers(tx, customers),
    reservations: await writeReservations(tx, reservations, world, faults),
  }
  refuseFaults(faults)
  // The booking page is written after the services, since a slug (the path of a service on the booking page) belongs to
  // a stored service.
  report.site.push(...(await writePages(tx, pages)))
  const { services: s, providers: p } = report
  if ([report.site, s.added, s.changed, p.added, p.changed].some((list) => list.length > 0)) await bumpCatalogue(tx)
  return report
}

function refuseFaults(faults: SiteFileFaults): void {
  if (faults.size > 0) throw siteFileRefusal(faults)
}

function siteAfter(before: Site, section: SiteSection): Site {
  return {
    ...before,
    ...section,
    policies: { ...before.policies, ...section.policies },
    appearance: { ...before.appearance, ...section.appearance },
  }
}

async function writeSite(tx: Tx, before: Site, after: Site): Promise<string[]> {
  const was = new Map<string, unknown>(Object.entries(before))
  const changed = Object.entries(after).flatMap(([name, value]) => (sameJson(value, was.get(name)) ? [] : [name]))
  if (changed.length === 0) return []
  await updateSite(tx.db, after)
  await tx.append({ type: 'site.updated', objectId: 'site', object: { ...after }, previous: { ...before } })
  return changed
}

/** Returns all rows, stored and new, as they are after the planned rows are written. */
function merged<Row extends { readonly id: string | number }>(
  there: readonly Row[],
  planned: readonly PlannedRow<Row>[],
): Row[] {
  const rows = new Map(there.map((row) => [row.id, row]))
  for (const { after } of planned) rows.set(after.id, after)
  return [...rows.values()]
}

/** Returns a function that finds a row by the key that the file gives it, else by its stored key, else by its id. */
function finder<Row extends { readonly id: string | number }>(
  there: readonly Row[],
  keys: ReadonlyMap<string, Row['id']>,
  planned: readonly PlannedRow<Row>[],
): (reference: string | number) => Row | undefined {
  const byId = new Map(merged(there, planned).map((row) => [String(row.id), row]))
  const byKey = new Map([...keys].map(([key, id]) => [key, byId.get(String(id))]))
  for (const { key, after } of planned) if (key !== undefined) byKey.set(key, after)
  return (reference) =>
    typeof reference === 'number' ? byId.get(String(reference)) : (byKey.get(reference) ?? byId.get(reference))
}

function rowsOf(customers: readonly Keyed<Customer>[]): Customer[] {
  return customers.map(({ row }) => row)
}

function keysOf(customers: readonly Keyed<Customer>[]): Map<string, string> {
  return new Map(customers.flatMap(({ row, key }) => (key === null ? [] : [[key, row.id]])))
}
