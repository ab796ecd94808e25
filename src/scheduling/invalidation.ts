import type { ResourceName } from './plan/resource.ts'

/**
 * A subject on which cached availability depends: the time of a resource, the reservations of a service (`service:`),
 * the counts of the reservations assigned to its providers (`assignments:`), the catalogue, or all of these.
 */
export type InvalidationSubject =
  | ResourceName
  | `service:${string}`
  | `assignments:${string}`
  | 'catalogue'
  | 'everything'

/**
 * A committed change of a subject on a range of UTC days (days since 1970-01-01, both included); the days are 0 for the
 * catalogue and assignments. A change of a reservation invalidates its service and its provider's resource on the day
 * of its start. Occupied and blocked time invalidates the provider's resource on every day that it touches.
 */
export interface Invalidation {
  readonly subject: InvalidationSubject
  readonly firstDay: number
  readonly lastDay: number
}

/**
 * A callback that applies cache invalidations to caches. For a write of this process, it is called after the commit and
 * before the response to the write.
 */
export type OnInvalidation = (invalidations: readonly Invalidation[]) => void

/**
 * The invalidation of all availability, used when the list of invalidations is too long or may be incomplete. Its days
 * are ignored.
 */
export const everythingChanged: Invalidation = { subject: 'everything', firstDay: 0, lastDay: 0 }

/** Seconds in a UTC day. */
export const dayLength = 86_400

/** Returns the UTC day of an instant (Unix seconds), in days since 1970-01-01. */
export function utcDayOf(instant: number): number {
  return Math.floor(instant / dayLength)
}
