import type { Weekly } from '../providers/provider.ts'

/** Local dates (`YYYY-MM-DD`, both inclusive) on which the site is closed. */
export interface Holiday {
  readonly from: string
  readonly to: string
  readonly name?: string
}

/** When a reservation may be removed: always, only cancelled, cancelled or past, never. */
export type RemovalPolicy = 'any' | 'cancelled' | 'cancelled_or_past' | 'never'

/**
 * What happens to an upcoming reservation when its zone's rules change: it keeps its instant and is reported, or it
 * keeps its wall time where there is room.
 */
export type ZoneChangePolicy = 'report' | 'keep_local_time'

/** The policies of a site. */
export interface Policies {
  readonly removal: RemovalPolicy
  readonly zoneChanges: ZoneChangePolicy
  /** Whether full group slots are listed, with `bookable: false`. */
  readonly listFullSlots: boolean
}

/** The site of a database. */
export interface Site {
  readonly name: string
  readonly timezone: string
  readonly siteUrl: string
  readonly language: string
  readonly currency: string
  readonly holidays: readonly Holiday[]
  readonly policies: Policies
  /** The default hours of new providers; existing ones are not affected. */
  readonly defaultWeekly: Weekly
}

/** The initial name of a site. */
export const unnamed = 'Daybook'

/** The initial policies of a site. */
export const defaultPolicies: Policies = { removal: 'any', zoneChanges: 'report', listFullSlots: false }

/** A replaced secret. */
export interface PreviousSecret {
  readonly secret: string
  /** Unix seconds. */
  readonly rotatedAt: number
}
