import type { Catalogue } from '../../catalogue/catalogue.ts'
import { handles, type Provider } from '../../catalogue/providers/provider.ts'
import { effectiveSettings, type Service } from '../../catalogue/services/service.ts'
import type { Invalidation } from '../../scheduling/invalidation.ts'
import { dayLength } from '../../scheduling/listing/validity.ts'
import { planReach } from '../../scheduling/plan/reach.ts'
import { providerIdOf } from '../../scheduling/plan/resource.ts'
import { countsAllProviders } from '../../scheduling/rules/limits.ts'
import type { Interval } from '../../scheduling/time/interval.ts'
import { countedProviders, rankedServices } from '../plan.sql.ts'
import type { SlotRange } from './slot-pages.ts'

/** Whose slots are asked for; absent means all, an empty list none. */
export interface AvailabilityFilter {
  readonly serviceIds?: readonly string[]
  readonly providerIds?: readonly number[]
}

/** Which slots are asked for: those that start in [from, until), Unix seconds. */
export interface AvailabilityQuery extends AvailabilityFilter {
  readonly from: number
  readonly until: number
  readonly now: number
  readonly part?: SlotRange | undefined
}

/** A filter with all that follows from it for one version of the catalogue. */
export interface ResolvedQuery {
  readonly services: readonly Service[]
  readonly providerIds: ReadonlySet<number> | undefined
  /** Whose times the answer rests on. */
  readonly providers: readonly Provider[]
  /** Seconds: no slot starts later than this after now. */
  readonly horizon: number
  /** How far, in seconds, a slot's surroundings matter: taken times before and after, reservations both ways. */
  readonly before: number
  readonly after: number
  readonly margin: number
  /** The services that are given to whom the earlier assignments say. */
  readonly ranked: readonly Service[]
  /** Whether a service is routed by lot. */
  readonly byLot: boolean
  /** Whether slots with one provider may rest on the reservations of others: by a limit, or by who has least to do. */
  readonly shared: boolean
}

/** The question that a filter asks of the catalogue. */
export function resolveQuery(catalogue: Catalogue, { serviceIds, providerIds }: AvailabilityFilter): ResolvedQuery {
  const services = serviceIds
    ? catalogue.services.filter((service) => serviceIds.includes(service.id))
    : catalogue.services
  const named = providerIds && new Set(providerIds)
  // Limits of a service may count reservations with providers who no longer handle it.
  const providers = services.some(countsAllProviders)
    ? catalogue.providers
    : countedProviders({ catalogue, services, ...(named && { providerIds: named }) })
  const { occupied, booked } = planReach({ services, providers, from: 0, until: 0 })
  return {
    services,
    providerIds: named,
    providers,
    horizon: Math.max(0, ...services.map((service) => widestHorizon(catalogue, service))),
    before: -occupied.start,
    after: occupied.end,
    margin: booked.end,
    ranked: services.filter(({ settings }) => rankedServices.has(settings.routingMode)),
    byLot: services.some(({ settings }) => settings.routingMode === 'random'),
    shared: services.some((service) => countsAllProviders(service) || service.settings.routingMode === 'least_busy'),
  }
}

/** The part of a window in which slots can start: a huge one costs no more than the widest horizon. */
export function queryWindow({ horizon }: ResolvedQuery, { from, until, now }: AvailabilityQuery): Interval {
  return { start: Math.max(from, now), end: Math.min(until, now + horizon + 1) }
}

function widestHorizon(catalogue: Catalogue, service: Service): number {
  const own = catalogue.providers
    .filter((provider) => handles(provider, service.id))
    .map((provider) => effectiveSettings(service, provider.id, provider.services.get(service.id)).horizon)
  return Math.max(service.settings.horizonDays * dayLength, ...own)
}

/** Days of UTC, from the first to the last. */
export interface DayRange {
  readonly first: number
  readonly last: number
}

/** Whenever it is. */
export const allDays: DayRange = { first: Number.NEGATIVE_INFINITY, last: Number.POSITIVE_INFINITY }

/** The days whose slots may have changed by what was touched; undefined when none can have. */
export function staleDays(question: ResolvedQuery, invalidated: Invalidation): DayRange | undefined {
  const { before, after, margin, providers, services } = question
  switch (invalidated.kind) {
    case 'time':
      if (!has(providers, providerIdOf(invalidated.resource))) return undefined
      return { first: dayBefore(invalidated.start - after), last: dayBefore(invalidated.end + before - 1) }
    case 'booked':
      // Another service's reservation matters to whoever counts a provider's whole day, and then has a margin.
      if (!has(providers, invalidated.providerId)) return undefined
      if (margin === 0 && !services.some(({ id }) => id === invalidated.serviceId)) return undefined
      return { first: dayBefore(invalidated.start - margin), last: dayBefore(invalidated.start + margin) }
    case 'assigned':
      return question.ranked.some(({ id }) => id === invalidated.serviceId) ? allDays : undefined
    case 'catalogue':
    case 'everything':
      return allDays
  }
}

function dayBefore(instant: number): number {
  return Math.floor(instant / dayLength)
}

/** Providers rise by id. */
function has(providers: readonly Provider[], id: number): boolean {
  let low = 0
  let high = providers.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((providers[middle]?.id ?? 0) < id) low = middle + 1
    else high = middle
  }
  return providers[low]?.id === id
}
