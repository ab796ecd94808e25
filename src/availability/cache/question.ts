import type { Catalogue } from '../../catalogue/catalogue.ts'
import type { Service } from '../../catalogue/services/service.ts'
import type { Interval } from '../../scheduling/time/interval.ts'
import type { SourceUnits } from './units.ts'

/** Which services and providers a query asks for; an absent list means all, an empty list none. */
export interface AvailabilityFilter {
  readonly serviceIds?: readonly string[]
  readonly providerIds?: readonly number[]
}

/** A page of a list of slots: the position of its first slot, and the maximum number of slots. */
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

/** Returns the services that a filter selects, in the order of the catalogue. */
export function askedServices({ services }: Catalogue, { serviceIds }: AvailabilityFilter): readonly Service[] {
  return serviceIds ? services.filter(({ id }) => serviceIds.includes(id)) : services
}

/**
 * Returns the part of a query's window in which slots can start: from now until the booking horizon, `horizon` seconds
 * later. A query with a longer window thus costs no more.
 */
export function queryWindow(horizon: number, { from, until, now }: AvailabilityQuery): Interval {
  return { start: Math.max(from, now), end: Math.min(until, now + horizon + 1) }
}

/**
 * A service with those of its slot sources that include a requested provider, in ascending order of provider ids. A
 * slot source is one provider, or all providers of a collective service.
 */
export interface ServiceUnits {
  readonly service: Service
  readonly sources: readonly SourceUnits[]
}

/**
 * Returns the cache key of a filter; the order and repetition of ids do not matter, but an absent and an empty list
 * differ.
 */
export function keyOf({ serviceIds, providerIds }: AvailabilityFilter): string {
  return `${keyOfIds(serviceIds)} ${keyOfIds(providerIds)}`
}

function keyOfIds(ids: readonly (string | number)[] | undefined): string {
  if (!ids) return ''
  // Most clients send their ids in ascending order; sorting 50 ids would take longer than the rest of a cached list.
  const isAscending = ids.every((id, index) => index === 0 || (ids[index - 1] ?? id) < id)
  return JSON.stringify(isAscending ? ids : [...new Set(ids)].sort((one, other) => (one < other ? -1 : 1)))
}

/** The part of a question's slots that a query returns: those that start in `window`, or one page of them. */
export interface Cut {
  readonly window: Interval
  readonly part: SlotRange | undefined
}

/** Whether two cuts select the same slots. */
export function isSameCut(one: Cut, other: Cut): boolean {
  return (
    one.window.start === other.window.start &&
    one.window.end === other.window.end &&
    one.part?.offset === other.part?.offset &&
    one.part?.limit === other.part?.limit
  )
}
