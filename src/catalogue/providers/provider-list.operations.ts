import { namesOfCustomers } from '../../customers/customers.sql.ts'
import type { ReadDatabase } from '../../db/database.ts'
import { listUpcoming, type UpcomingReservation } from '../../reservations/upcoming.sql.ts'
import { isOpen, minutesOfWeek } from '../../scheduling/opening-hours.ts'
import { type Interval, overlaps } from '../../scheduling/time/interval.ts'
import { loadCatalogue } from '../catalogue.sql.ts'
import type { Catalogue } from '../catalogue.ts'
import type { Holiday } from '../site/site.ts'
import { handles, type Provider, type ProviderChange, type ProviderRecord } from './provider.ts'
import { providerAfter, requireProviderRecord } from './providers.operations.ts'

/** The input of `searchProviders`. */
export interface ProviderSearch {
  /** A part of the provider's name or e-mail address, regardless of case; undefined for all providers. */
  readonly search: string | undefined
  /** The sort order: by id when undefined, otherwise by name, ascending or (`-name`) descending. */
  readonly sort: 'name' | '-name' | undefined
}

/**
 * Why a reservation would no longer fit its provider after a change: it is outside of the new hours, its service is no
 * longer given, or it overlaps the time off to be added.
 */
type Because = 'hours' | 'service' | 'away'

/** Returns one page of the providers that match a search, with the total number of matching providers. */
export async function searchProviders(
  db: ReadDatabase,
  { search = '', sort }: ProviderSearch,
  { limit, offset }: { readonly limit: number; readonly offset: number },
) {
  const catalogue = await db.snapshot(loadCatalogue)
  const wanted = search.toLowerCase()
  const found = catalogue.providers.filter(({ name, email }) => `${name}\n${email}`.toLowerCase().includes(wanted))
  if (sort !== undefined) {
    const order = sort === 'name' ? 1 : -1
    found.sort((one, other) => order * (byName.compare(one.name, other.name) || one.id - other.id))
  }
  return {
    page: found.slice(offset, offset + limit).map((provider) => listedProvider(catalogue, provider)),
    total: found.length,
  }
}

const byName = new Intl.Collator('en')

function listedProvider({ services }: Catalogue, provider: ProviderRecord) {
  const { id, name, email, timezone } = provider
  const taken = services.filter((service) => handles(provider, service.id)).length
  const weekMinutes = minutesOfWeek(provider.weekly)
  return { id, name, email, timezone, weekMinutes, services: taken, ofServices: services.length }
}

/**
 * Returns a provider with the site's holidays and, unless the user is limited to this provider, the administrative
 * settings. Refuses an unknown provider and, for a user who is limited to a provider, every other one.
 */
export async function showProvider(db: ReadDatabase, id: number, ofProvider: number | undefined) {
  const catalogue = await db.snapshot(loadCatalogue)
  const provider = requireProviderRecord(catalogue, ofProvider === undefined || ofProvider === id ? id : 0)
  const { name, email, timezone, weekly, overrides, restrictServices, allowedServices } = provider
  const { services, site } = catalogue
  return {
    ...{ id, name, email, timezone, weekly, overrides },
    holidays: site.holidays,
    booking:
      ofProvider === undefined
        ? {
            restrictServices,
            allowedServices,
            doubleBooking: provider.doubleBooking ?? false,
            meetingLink: provider.meetingLink ?? '',
            services: services.map(({ id, name, settings }) => ({
              ...{ id, name, settings },
              currency: settings.currency ?? site.currency,
              own: provider.services.get(id) ?? {},
            })),
          }
        : null,
  }
}

/** The input of `checkProvider`. */
export interface CheckProvider extends ProviderChange {
  readonly id: number
  readonly ofProvider: number | undefined
  /** The interval of a time off that is about to be added. */
  readonly away?: Interval
  /** The id of a service that the provider would no longer give. */
  readonly without?: string
  readonly now: number
}

// The maximum number of upcoming reservations that are examined, and of those that are listed as no longer fitting.
const maxExamined = 20_000
const maxNamed = 100

/**
 * Returns the upcoming reservations that would no longer fit their provider after a change: those that overlap the time
 * off to be added, those whose service the provider would no longer give, and those that would no longer be within
 * opening hours. Lists at most `maxNamed` of them, and stores nothing.
 */
export function checkProvider(db: ReadDatabase, { id, ofProvider, away, without, now, ...change }: CheckProvider) {
  return db.snapshot(async (at) => {
    const catalogue = await loadCatalogue(at)
    const before = requireProviderRecord(catalogue, ofProvider === undefined || ofProvider === id ? id : 0)
    const kept = providerAfter(catalogue, before, change)
    const after = without === undefined ? kept : withoutService(kept, without)
    const coming = await listUpcoming(at, { providerId: id, after: now, most: maxExamined + 1 })
    const { holidays } = catalogue.site
    const left = coming.slice(0, maxExamined).flatMap((one) => {
      const because: Because | undefined =
        away && overlaps(one, away) ? 'away' : leftBecause(one, before, after, holidays)
      return because === undefined ? [] : [{ one, because }]
    })
    const named = left.slice(0, maxNamed)
    const customers = await namesOfCustomers(
      at,
      named.map(({ one }) => one.customerId),
    )
    return {
      zone: after.timezone,
      total: left.length,
      more: coming.length > maxExamined,
      items: named.map(({ one, because }) => ({
        id: one.id,
        ...{ status: one.status, start: one.start, end: one.end, because },
        service: catalogue.service(one.serviceId)?.name ?? '',
        customer: customers.get(one.customerId) ?? '',
      })),
    }
  })
}

function withoutService(provider: ProviderRecord, serviceId: string): ProviderRecord {
  const own = { ...provider.services.get(serviceId), participate: false }
  return { ...provider, services: new Map(provider.services).set(serviceId, own) }
}

function leftBecause(
  one: UpcomingReservation,
  before: Provider,
  after: Provider,
  holidays: readonly Holiday[],
): Because | undefined {
  if (handles(before, one.serviceId) && !handles(after, one.serviceId)) return 'service'
  if (isOpen(before, holidays, one) && !isOpen(after, holidays, one)) return 'hours'
  return undefined
}
