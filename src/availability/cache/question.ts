import type { Catalogue } from '../../catalogue/catalogue.ts'
import type { Service } from '../../catalogue/services/service.ts'
import type { Interval } from '../../scheduling/time/interval.ts'
import type { SourceUnits } from './units.ts'

/** The services and providers of a query; an absent list means all, an empty one none. */
export interface AvailabilityFilter {
  readonly serviceIds?: readonly string[]
  readonly providerIds?: readonly number[]
}

/** A page of a list: the position of its first slot, and the maximum number of slots. */
export interface SlotRange {
  readonly offset: number
  readonly limit: number
}

/** A query for the slots that start in [from, until), in Unix seconds. */
export interface AvailabilityQuery extends AvailabilityFilter {
  readonly from: number
  readonly until: number
  readonly now: number
  readonly part?: SlotRange | undefined
}

/** Returns the services that a filter selects, sorted by id. */
export function askedServices({ services }: Catalogue, { serviceIds }: AvailabilityFilter): readonly Service[] {
  return serviceIds ? services.filter(({ id }) => serviceIds.includes(id)) : services
}

/**
 * Returns the part of a query's window from now to the horizon (in seconds), in which slots can start. A longer window thus
 * costs no more.
 */
export function queryWindow(horizon: number, { from, until, now }: AvailabilityQuery): Interval {
  return { start: Math.max(from, now), end: Math.min(until, now + horizon + 1) }
}

/** A service with the slot sources of the requested providers, in ascending order of provider ids. */
export interface ServiceUnits {
  readonly service: Service
  readonly sources: readonly SourceUnits[]
}

/** Returns the cache key of a filter: an absent and an empty list differ, and so do lists with the same ids in another order. */
export function keyOf({ serviceIds, providerIds }: AvailabilityFilter): string {
  return `${serviceIds ? `=${serviceIds}` : ''} ${providerIds ? `=${providerIds}` : ''}`
}
