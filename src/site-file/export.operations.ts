import { loadPages } from '../booking-page/settings.sql.ts'
import { loadCatalogue } from '../catalogue/catalogue.sql.ts'
import { listProviderKeys } from '../catalogue/providers/providers.sql.ts'
import { listServiceKeys } from '../catalogue/services/services.sql.ts'
import { customersQuery, toCustomer } from '../customers/customers.sql.ts'
import type { ReadDatabase, SnapshotDatabase } from '../db/database.ts'
import { toReservation } from '../reservations/reservations.sql.ts'
import {
  bookingPageSection,
  customerEntry,
  providerEntry,
  reservationEntry,
  serviceEntry,
  siteEntry,
} from './entries.ts'
import { countReservations, reservationsWithCustomersQuery } from './site-file.sql.ts'
import type { SiteFile } from './site-file.ts'

/** The lists that an export contains in addition to settings, services and providers. */
export interface ExportChoice {
  readonly customers: boolean
  readonly reservations: boolean
}

/**
 * The content of an export from one snapshot: the catalogue as a whole, and long lists as streams. A list that the
 * export does not contain is undefined.
 */
export interface SiteExport {
  readonly catalogue: Required<Pick<SiteFile, 'site' | 'services' | 'providers' | 'bookingPage'>>
  readonly customers: AsyncIterable<readonly object[]> | undefined
  readonly reservations: AsyncIterable<readonly object[]> | undefined
  /** The number of all stored reservations. Those whose service, provider or customer was removed are not exported. */
  readonly reservationCount: number
}

/**
 * Calls `take` with the content of the JSON site file and returns its result. All content is from one snapshot, which
 * stays open until `take` resolves.
 */
export function exportSite<T>(
  db: ReadDatabase,
  choice: ExportChoice,
  take: (exported: SiteExport) => Promise<T>,
): Promise<T> {
  return db.longSnapshot(async (at) => {
    const catalogue = await loadCatalogue(at)
    const pages = await loadPages(at, catalogue)
    const serviceKeys = inverted(await listServiceKeys(at))
    const providerKeys = inverted(await listProviderKeys(at))
    const reference = (id: string) => (catalogue.service(id) ? (serviceKeys.get(id) ?? id) : undefined)
    const zone = (id: number) => catalogue.provider(id)?.timezone
    return take({
      catalogue: {
        site: siteEntry(catalogue.site),
        services: catalogue.services.map((service) => serviceEntry(service, serviceKeys.get(service.id))),
        providers: catalogue.providers.map((one) => providerEntry(one, providerKeys.get(one.id), reference)),
        bookingPage: bookingPageSection(pages, catalogue.services, (id) => serviceKeys.get(id) ?? id),
      },
      customers: choice.customers ? customers(at) : undefined,
      reservations: choice.reservations ? reservations(at, reference, zone) : undefined,
      reservationCount: await countReservations(at),
    })
  })
}

async function* customers(at: SnapshotDatabase) {
  for await (const rows of at.stream(customersQuery(at)))
    yield rows.map((row) => customerEntry(toCustomer(row), row.key))
}

async function* reservations(
  at: SnapshotDatabase,
  reference: (serviceId: string) => string | undefined,
  zoneOf: (providerId: number) => string | undefined,
) {
  for await (const rows of at.stream(reservationsWithCustomersQuery(at))) {
    yield rows.flatMap((row) => {
      const service = reference(row.service_id)
      const zone = zoneOf(row.provider_id)
      if (service === undefined || zone === undefined) return []
      const customer = row.customer_key ?? row.customer_id
      return [reservationEntry(toReservation(row), { key: row.key, service, customer, zone })]
    })
  }
}

function inverted<Id>(keys: ReadonlyMap<string, Id>): Map<Id, string> {
  return new Map([...keys].map(([key, id]) => [id, key]))
}
