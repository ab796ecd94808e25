import type { Weekly } from '../providers/provider.ts'
import type { Appearance } from './appearance.ts'
import type { NoShowPolicy } from './no-show-policy.ts'

/**
 * A range of local dates (`YYYY-MM-DD`, both inclusive) on which the site is closed, except for the hours that an
 * override or a connected calendar of a provider declares open.
 */
export interface Holiday {
  readonly from: string
  readonly to: string
  readonly name?: string
}

/** The reservations that may be removed: any; only cancelled ones; cancelled ones and past ones; or none. */
export type RemovalPolicy = 'any' | 'cancelled' | 'cancelled_or_past' | 'never'

/**
 * The treatment of upcoming reservations when the rules of their time zone change: `report` leaves the instants
 * unchanged and reports the reservations; `keep_local_time` moves each reservation to the instant of its booked wall
 * time, and reports the reservations that cannot be moved.
 */
export type ZoneChangePolicy = 'report' | 'keep_local_time'

/** The policies of a site. */
export interface Policies {
  readonly removal: RemovalPolicy
  readonly zoneChanges: ZoneChangePolicy
  /** Whether slots with several seats are listed when they are full, with `bookable: false`. */
  readonly listFullSlots: boolean
  /** The reasons that staff choose from when they cancel a reservation; empty for the panel's default list. */
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
  /** The default opening hours of new providers; a change does not affect existing providers. */
  readonly defaultWeekly: Weekly
  readonly appearance: Appearance
}

/** The name of a site whose owner has not named it. */
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

/** The site's secret before the last rotation, and the time of that rotation. */
export interface PreviousSecret {
  readonly secret: string
  /** The time of the rotation that replaced this secret, in Unix seconds. */
  readonly rotatedAt: number
}
