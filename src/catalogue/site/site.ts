import type { Weekly } from '../providers/provider.ts'
import type { Appearance } from './appearance.ts'
import type { NoShowPolicy } from './no-show-policy.ts'

/** Local dates (`YYYY-MM-DD`, both inclusive) on which the site is closed. */
export interface Holiday {
  readonly from: string
  readonly to: string
  readonly name?: string
}

/** The reservations that may be removed: any, cancelled ones, cancelled and past ones, or none. */
export type RemovalPolicy = 'any' | 'cancelled' | 'cancelled_or_past' | 'never'

/**
 * The treatment of upcoming reservations when the rules of their time zone change: `report` keeps the instant and reports
 * them; `keep_local_time` moves them to the same wall time if that is free.
 */
export type ZoneChangePolicy = 'report' | 'keep_local_time'

/** The policies of a site. */
export interface Policies {
  readonly removal: RemovalPolicy
  readonly zoneChanges: ZoneChangePolicy
  /** Whether full group slots are listed, with `bookable: false`. */
  readonly listFullSlots: boolean
  /** The reasons that staff choose from when they cancel a reservation; empty for the default list of the panel. */
  readonly cancelReasons: readonly string[]
  /** The treatment of customers who have missed several visits; null for none. */
  readonly noShows: NoShowPolicy | null
  /** Minutes between two readings of a connected calendar. */
  readonly calendarPollMinutes: number
  /** Minutes after which a connected calendar that could not be read again makes its provider unavailable. */
  readonly calendarMaxAgeMinutes: number
}

/** The organisation that the database belongs to, with its settings. */
export interface Site {
  readonly name: string
  readonly timezone: string
  readonly siteUrl: string
  readonly language: string
  readonly currency: string
  readonly holidays: readonly Holiday[]
  readonly policies: Policies
  /** The default opening hours of new providers; existing providers are not affected. */
  readonly defaultWeekly: Weekly
  readonly appearance: Appearance
}

/** The name of a site that has not been given one. */
export const unnamed = 'Daybook'

/** The initial policies of a site. */
export const defaultPolicies: Policies = {
  removal: 'any',
  zoneChanges: 'report',
  listFullSlots: false,
  cancelReasons: [],
  noShows: null,
  calendarPollMinutes: 5,
  calendarMaxAgeMinutes: 120,
}

/** The secret before the last rotation, and the time of that rotation. */
export interface PreviousSecret {
  readonly secret: string
  /** Unix seconds. */
  readonly rotatedAt: number
}
