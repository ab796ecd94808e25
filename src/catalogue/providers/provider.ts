import type { Approval, ProviderServiceSettings } from '../services/service.ts'

/** A day of the week. */
export type Weekday = 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun'
/** All weekdays from Monday. */
export const weekdays: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

/** Opening hours of a week: per weekday, windows `HH:MM-HH:MM` in the provider's zone; an absent day is closed. */
export type Weekly = Readonly<Partial<Record<Weekday, readonly string[]>>>

/**
 * Properties of slots that an override of dates, or an event of a connected calendar, sets. They take precedence over
 * the settings of the service and of its provider.
 */
export interface SlotOverrides {
  readonly price?: number
  readonly currency?: string
  readonly capacity?: number
  readonly location?: string
  readonly title?: string
  readonly note?: string
  readonly color?: string
  readonly approval?: Approval
}

/**
 * An override of a provider's settings for a range of local dates (`YYYY-MM-DD`, both inclusive). `hours` replaces the
 * weekly hours of these dates, even on a holiday; without `hours`, the override only sets slot properties.
 */
export interface DateOverride {
  readonly from: string
  readonly to: string
  readonly hours?: readonly string[]
  readonly slot?: SlotOverrides
}

/**
 * Time that an event of a connected calendar opens for bookings, in addition to the weekly hours, in Unix seconds. Site
 * holidays do not close it.
 */
export interface CalendarOpening {
  readonly start: number
  readonly end: number
  /** The slot properties that the title of the calendar event sets. */
  readonly overrides: SlotOverrides
}

/** The exclusive upper bound of provider ids: a slot id encodes the provider in six bytes. */
export const providerIdLimit = 2 ** 48

/** A person or a piece of equipment that gives services, with its settings. */
export interface Provider {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly timezone: string
  readonly restrictServices: boolean
  readonly allowedServices: readonly string[]
  readonly weekly: Weekly
  readonly overrides: readonly DateOverride[]
  /** The bookable time that events of connected calendars open, ordered by start; absent if there is none. */
  readonly openings?: readonly CalendarOpening[]
  /** Whether staff may deliberately book this provider's time twice, with a reason; false when absent. */
  readonly doubleBooking?: boolean
  /**
   * The URL of the provider's online appointments, or a template of such URLs (see `meetingFrom`); absent or empty for
   * none.
   */
  readonly meetingLink?: string
  /** The provider's own settings for services, by service id. */
  readonly services: ReadonlyMap<string, ProviderServiceSettings>
}

/** A stored provider, including data of integrations by service id. */
export interface ProviderRecord extends Provider {
  readonly serviceData: ReadonlyMap<string, Readonly<Record<string, unknown>>>
}

/** Returns the fields of a provider that lists of the public API show. */
export function shownProvider({ id, name, email }: Provider) {
  return { id, name, email }
}

/**
 * Returns a provider in the format of the event log and the event feed, with all fields except the bookable time that
 * calendar events open.
 */
export function shownProviderInFull(provider: ProviderRecord) {
  const {
    allowedServices,
    restrictServices,
    timezone,
    weekly,
    overrides,
    doubleBooking = false,
    meetingLink,
  } = provider
  const services = [...provider.services].map(([id, settings]) => [
    id,
    { ...provider.serviceData.get(id), ...settings },
  ])
  return {
    ...shownProvider(provider),
    allowedServices,
    restrictServices,
    timezone,
    weekly,
    overrides,
    ...(doubleBooking && { doubleBooking }),
    ...(meetingLink && { meetingLink }),
    services: Object.fromEntries(services),
  }
}

/** The initial value of a site's default hours for new providers: Monday to Friday, nine to five. */
export const defaultWeekly: Weekly = Object.fromEntries(
  (['mon', 'tue', 'wed', 'thu', 'fri'] as const).map((day) => [day, ['09:00-17:00']]),
)

/** Creates a provider with the defaults: the site's zone and opening hours, and every service. */
export function newProvider(
  id: number,
  site: { readonly timezone: string; readonly defaultWeekly: Weekly },
): ProviderRecord {
  return {
    id,
    name: '',
    email: '',
    timezone: site.timezone,
    restrictServices: false,
    allowedServices: [],
    weekly: site.defaultWeekly,
    overrides: [],
    services: new Map(),
    serviceData: new Map(),
  }
}

/**
 * The fields to change in a provider; an absent field is unchanged. Settings per service are changed by
 * `editProviderService`.
 */
export type ProviderChange = Partial<Omit<Provider, 'id' | 'services' | 'openings'>>

/**
 * Whether a provider gives a service: the service is allowed for the provider, and the provider's settings do not
 * exclude it.
 */
export function handles(provider: Provider, serviceId: string): boolean {
  if (provider.restrictServices && !provider.allowedServices.includes(serviceId)) return false
  return provider.services.get(serviceId)?.participate !== false
}
