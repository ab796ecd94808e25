import type { PageSettings, ServicePage } from '../booking-page/settings.ts'
import type { SlotOverrides, Weekly } from '../catalogue/providers/provider.ts'
import type { FormFieldEntry } from '../catalogue/services/booking-form.ts'
import type { ProviderServiceSettings } from '../catalogue/services/service.ts'
import type { SettingsChange } from '../catalogue/services/service-settings.ts'
import type { Appearance } from '../catalogue/site/appearance.ts'
import type { Holiday, Policies } from '../catalogue/site/site.ts'
import type { CustomerStatus } from '../customers/customer.ts'
import type { DetailsChange } from '../customers/details/customer-details.ts'
import type { Data } from '../data.ts'
import type { Message } from '../messages/message.ts'
import type { ShownAttendance } from '../reservations/attendance/attendance.ts'
import type { Assignment, ReservationStatus } from '../reservations/reservation.ts'

/**
 * The content of a site file: a JSON document that describes the settings and data of a site. An absent member leaves
 * stored values unchanged; in a new row, it has its default.
 */
export interface SiteFile {
  readonly site?: SiteSection
  readonly services?: readonly ServiceEntry[]
  readonly providers?: readonly ProviderEntry[]
  readonly customers?: readonly CustomerEntry[]
  readonly reservations?: readonly ReservationEntry[]
  readonly bookingPage?: BookingPageSection
}

/** The settings of the booking page, with those of services by their keys or ids. */
export interface BookingPageSection extends Partial<PageSettings> {
  readonly services?: Readonly<Record<string, ServicePageEntry>>
}

/** The settings of a service on the booking page. */
export interface ServicePageEntry extends Partial<ServicePage> {
  /** The last part of the address of the service's booking page; an export omits it if it is derived from the name. */
  readonly slug?: string
}

export interface SiteSection {
  readonly name?: string
  readonly timezone?: string
  readonly siteUrl?: string
  readonly language?: string
  readonly currency?: string
  readonly holidays?: readonly Holiday[]
  readonly policies?: Partial<Policies>
  /** The opening hours of new providers that have none of their own. */
  readonly defaultWeekly?: Weekly
  /** The brand colour of the site; the logo is not part of the file. */
  readonly appearance?: Pick<Appearance, 'color'>
}

/** The key by which an entry without an id identifies its row. The key is stored with the row. */
interface Named {
  readonly key?: string
}

export interface ServiceEntry extends Named, SettingsChange {
  readonly id?: string
  readonly name: string
  readonly description?: string
  readonly color?: string | null
  /** Integration data, merged key by key into the stored data of the service; null deletes a key. */
  readonly data?: Data
  /** The fields of the booking form, which replace the stored ones. */
  readonly form?: readonly FormFieldEntry[]
}

/** An override of a provider's hours or slots on one `date`, or on the dates `from` to `to`, both inclusive. */
export interface OverrideEntry {
  readonly date?: string
  readonly from?: string
  readonly to?: string
  readonly hours?: readonly string[]
  readonly slot?: SlotOverrides
}

export interface ProviderEntry extends Named {
  readonly id?: number
  readonly name: string
  readonly email?: string
  readonly timezone?: string
  readonly restrictServices?: boolean
  /** The allowed services, by key or id. */
  readonly allowedServices?: readonly string[]
  readonly doubleBooking?: boolean
  readonly meetingLink?: string
  readonly weekly?: Weekly
  readonly overrides?: readonly OverrideEntry[]
  /**
   * The provider's own settings for a service, by the service's key or id; null resets a setting to that of the
   * service.
   */
  readonly services?: Readonly<Record<string, ProviderServiceEntry>>
}

export type ProviderServiceEntry = {
  readonly [Name in keyof ProviderServiceSettings]?: ProviderServiceSettings[Name] | null
} & {
  /** Integration data, merged key by key into the stored data of the provider for the service; null deletes a key. */
  readonly data?: Data
}

export interface CustomerEntry extends Named, DetailsChange {
  readonly id?: string
  readonly name: string
  readonly email?: string
  readonly phone?: string
  readonly hostUserId?: number
  readonly status?: CustomerStatus
  readonly timezone?: string | null
  readonly language?: string
}

export interface ReservationEntry extends Named {
  readonly id?: string
  /** The key or id of the reserved service. */
  readonly service: string
  readonly provider: string | number
  readonly customer: string
  /** The start as local time of the provider (`2026-12-01T09:00`) or in Unix seconds; `end` can have either format. */
  readonly start: string | number
  readonly end?: string | number
  readonly status?: ReservationStatus
  readonly attendance?: ShownAttendance
  /** The internal note of staff on the reservation. */
  readonly note?: string
  readonly cancelReason?: string
  readonly data?: Data
  /** The assignment that a booking would store. Only the demo sets it; the schema of site files has no such member. */
  readonly assigned?: AssignedEntry
}

/** The assignment of a reservation to its provider, and its time in Unix seconds. */
export interface AssignedEntry {
  readonly at: number
  readonly because: Assignment
}

/** The names of the rows of one kind that a JSON site file added, changed and left unchanged. */
export interface SiteFileChanges {
  readonly added: string[]
  readonly changed: string[]
  readonly left: string[]
}

/** The result of applying a JSON site file. */
export interface SiteReport {
  /** The changed settings: those of the site by name, those of the booking page and its services as `bookingPage.…`. */
  readonly site: readonly string[]
  readonly services: SiteFileChanges
  readonly providers: SiteFileChanges
  readonly customers: SiteFileChanges
  readonly reservations: SiteFileChanges
}

/** The faults of a JSON site file: a message for each path. */
export type SiteFileFaults = Map<string, Message>

/** Returns empty lists of changes, to which names can be added. */
export function noChanges(): SiteFileChanges {
  return { added: [], changed: [], left: [] }
}
