import type { Catalogue } from '../../catalogue/catalogue.ts'
import type { Service } from '../../catalogue/services/service.ts'
import type { Interval } from '../../scheduling/time/interval.ts'
import type { SourceUnits } from './units.ts'

/** The services and providers of a query; an absent list means all, an empty one none. */
export interface AvailabilityFilter {
  readonly serviceIds?: readonly string[]
  readonly providerIds?: readonly number[]
}

/** A page of a list, by position. */
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

/** The services of a filter, by id. */
export function askedServices({ services }: Catalogue, { serviceIds }: AvailabilityFilter): readonly Service[] {
  return serviceIds ? services.filter(({ id }) => serviceIds.includes(id)) : services
}

/** The part of a query's window in which slots can start: a huge window costs no more than the widest horizon. */
export function queryWindow(horizon: number, { from, until, now }: AvailabilityQuery): Interval {
  return { start: Math.max(from, now), end: Math.min(until, now + horizon + 1) }
}

/** A service with its sources among the asked providers, in ascending order of their ids. */
export interface ServiceUnits {
  readonly service: Service
  readonly sources: readonly SourceUnits[]
}

/** The same text for filters that ask for the same, in the order in which they name it. */
export function keyOf({ serviceIds, providerIds }: AvailabilityFilter): string {
  return `${serviceIds ? `=${serviceIds}` : ''} ${providerIds ? `=${providerIds}` : ''}`
}
