import type { ResourceName } from './plan/resource.ts'

/**
 * What availability depends on: a resource's time, a service's reservations or assignments, the catalogue, or
 * everything.
 */
export type InvalidationSubject =
  | ResourceName
  | `service:${string}`
  | `assignments:${string}`
  | 'catalogue'
  | 'everything'

/**
 * A committed change of a subject on some UTC days (days since 1970, both included). A reservation changes its service
 * and its provider's resource on the day of its start. Occupied and blocked time changes its resource on every day that
 * it touches.
 */
export interface Invalidation {
  readonly subject: InvalidationSubject
  readonly firstDay: number
  readonly lastDay: number
}

/** Called with the invalidations of a transaction after its commit, before the response to the write. */
export type OnInvalidation = (invalidations: readonly Invalidation[]) => void

/** Invalidates everything, in place of a list that is too long. */
export const everythingChanged: Invalidation = { subject: 'everything', firstDay: 0, lastDay: 0 }

/** Seconds in a UTC day. */
export const dayLength = 86_400

/** The UTC day of an instant, in days since 1970. */
export function utcDayOf(instant: number): number {
  return Math.floor(instant / dayLength)
}
