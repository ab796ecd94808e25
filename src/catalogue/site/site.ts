import type { Weekly } from '../providers/provider.ts'

/** Days on which the whole site is closed, as local dates `YYYY-MM-DD`, both ends included. */
export interface Holiday {
  readonly from: string
  readonly to: string
  readonly name?: string
}

/** When a reservation may be removed for good: always, only cancelled, cancelled or past, never. */
export type RemovalPolicy = 'any' | 'cancelled' | 'cancelled_or_past' | 'never'

/**
 * What becomes of a coming reservation when its zone's rules change: it keeps its instant and is reported, or it keeps
 * its wall time where there is room for it.
 */
export type ZoneChangePolicy = 'report' | 'keep_local_time'

export interface Policies {
  readonly removal: RemovalPolicy
  readonly zoneChanges: ZoneChangePolicy
  /** Also list slots of services with room for several that are now full, as `bookable: false`. */
  readonly listFullSlots: boolean
}

/** The one site that a database holds. */
export interface Site {
  readonly name: string
  readonly timezone: string
  readonly siteUrl: string
  readonly language: string
  readonly currency: string
  readonly holidays: readonly Holiday[]
  readonly policies: Policies
  /** The opening hours with which a new provider begins; those who are there keep theirs. */
  readonly defaultWeekly: Weekly
}

/** What a site is called until somebody names it. */
export const unnamed = 'Daybook'

export const defaultPolicies: Policies = { removal: 'any', zoneChanges: 'report', listFullSlots: false }

/** A secret that was replaced. */
export interface PreviousSecret {
  readonly secret: string
  /** Unix seconds. */
  readonly rotatedAt: number
}
