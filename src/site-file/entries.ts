import { defaultPageSettings, defaultServicePage, type Pages, slugsOf } from '../booking-page/settings.ts'
import {
  type DateOverride,
  type ProviderRecord,
  type SlotOverrides,
  type Weekly,
  weekdays,
} from '../catalogue/providers/provider.ts'
import { type Limits, providerServiceKeys, type Service, type ServiceSettings } from '../catalogue/services/service.ts'
import { providerSettings, reservedServiceKeys, without } from '../catalogue/services/service-settings.ts'
import type { Site } from '../catalogue/site/site.ts'
import type { Customer } from '../customers/customer.ts'
import { shownAttendance } from '../reservations/attendance/attendance.ts'
import type { Reservation } from '../reservations/reservation.ts'
import { toInstant, wallTime } from '../scheduling/time/zone.ts'
import type {
  BookingPageSection,
  CustomerEntry,
  OverrideEntry,
  ProviderEntry,
  ReservationEntry,
  ServiceEntry,
  SiteSection,
} from './site-file.ts'

/*
 * The functions of this file convert stored rows to entries of a JSON site file. Apart from some empty or false values,
 * settings are written out even if they equal the defaults, so that the defaults of the site to which the file is
 * applied do not matter. The members of each entry have a fixed order, so that the same site gives the same bytes. Data
 * under a name that has become that of a field or setting is left out, since a site file with it is refused.
 */

/** Returns the settings of the site, without the logo, as a section of a JSON site file. */
export function siteEntry({ siteUrl, holidays, policies, defaultWeekly, appearance, ...site }: Site): SiteSection {
  const { name, timezone, language, currency } = site
  return {
    name,
    timezone,
    ...(siteUrl && { siteUrl }),
    language,
    currency,
    holidays: holidays.map(({ from, to, name }) => ({ from, to, ...(name !== undefined && { name }) })),
    policies: {
      removal: policies.removal,
      zoneChanges: policies.zoneChanges,
      listFullSlots: policies.listFullSlots,
      cancelReasons: policies.cancelReasons,
      noShows: policies.noShows,
      calendarPollMinutes: policies.calendarPollMinutes,
      calendarMaxAgeMinutes: policies.calendarMaxAgeMinutes,
    },
    defaultWeekly: weekEntry(defaultWeekly),
    appearance: { color: appearance.color },
  }
}

/**
 * Returns the settings of the booking page as a section of a JSON site file; `reference` returns the key or id of a
 * service.
 */
export function bookingPageSection(
  pages: Pages,
  services: readonly Service[],
  reference: (serviceId: string) => string,
): BookingPageSection {
  const own = slugsOf(
    services.map(({ name }) => name),
    'service',
  )
  const entries = services.map(({ id }, index) => {
    const slug = pages.slugOf(id)
    const page = inOrder(pages.service(id), namesOf(defaultServicePage))
    return [reference(id), { ...(slug !== own[index] && { slug }), ...page }] as const
  })
  return { ...inOrder(pages.settings, namesOf(defaultPageSettings)), services: Object.fromEntries(entries) }
}

function namesOf<T extends object>(defaults: T): readonly (keyof T)[] {
  return Object.keys(defaults) as (keyof T)[]
}

/** Returns a service as an entry of a JSON site file, with its id, its key if any, and all settings. */
export function serviceEntry(service: Service, key: string | undefined): ServiceEntry {
  const { id, name, description, color, settings, form } = service
  const data = without(service.data, reservedServiceKeys)
  return {
    id,
    ...(key !== undefined && { key }),
    name,
    description,
    color,
    ...inOrder(settings, settingNames),
    limits: inOrder(settings.limits, limitNames),
    ...(form.length > 0 && { form }),
    ...(hasKeys(data) && { data }),
  }
}

const settingNames: readonly Exclude<keyof ServiceSettings, 'limits'>[] = [
  'durationMinutes',
  'intervalMinutes',
  'bufferBeforeMinutes',
  'bufferAfterMinutes',
  'capacity',
  'leadTimeMinutes',
  'horizonDays',
  'approval',
  'pendingBlocks',
  'routingMode',
  'price',
  'currency',
  'payment',
  'notifications',
  'online',
  'active',
]
const limitNames: readonly (keyof Limits)[] = [
  'perProviderDay',
  'perServiceDay',
  'minutesPerProviderWeek',
  'perCustomerDay',
]

/**
 * Returns a provider as an entry of a JSON site file. `reference` returns the key or id of a service, or undefined for
 * a removed one.
 */
export function providerEntry(
  provider: ProviderRecord,
  key: string | undefined,
  reference: (serviceId: string) => string | undefined,
): ProviderEntry {
  const { id, name, email, timezone, restrictServices, allowedServices, weekly, overrides, services } = provider
  return {
    id,
    ...(key !== undefined && { key }),
    name,
    ...(email && { email }),
    timezone,
    restrictServices,
    // The list may still contain a removed service, which is left out.
    allowedServices: allowedServices.flatMap((serviceId) => reference(serviceId) ?? []),
    ...(provider.doubleBooking && { doubleBooking: true }),
    ...(provider.meetingLink && { meetingLink: provider.meetingLink }),
    weekly: weekEntry(weekly),
    overrides: overrides.map(overrideEntry),
    services: Object.fromEntries(
      [...services].flatMap(([serviceId, settings]) => {
        const named = reference(serviceId)
        const data = without(provider.serviceData.get(serviceId) ?? {}, providerSettings)
        const entry = { ...inOrder(settings, providerServiceKeys), ...(hasKeys(data) && { data }) }
        return named === undefined ? [] : [[named, entry]]
      }),
    ),
  }
}

function weekEntry(weekly: Weekly): Weekly {
  return Object.fromEntries(weekdays.flatMap((day) => (weekly[day] ? [[day, weekly[day]]] : [])))
}

const slotNames: readonly (keyof SlotOverrides)[] = [
  'price',
  'currency',
  'capacity',
  'location',
  'title',
  'note',
  'color',
  'approval',
]

function overrideEntry({ from, to, hours, slot }: DateOverride): OverrideEntry {
  const dates = from === to ? { date: from } : { from, to }
  return { ...dates, ...(hours && { hours }), ...(slot && { slot: inOrder(slot, slotNames) }) }
}

/** Returns a customer as an entry of a JSON site file, with its id and its key if any. */
export function customerEntry(customer: Customer, key: string | null): CustomerEntry {
  const { id, name, email, phone, hostUserId, status, timezone, language, details = {} } = customer
  return {
    id,
    ...(key !== null && { key }),
    name,
    ...(email && { email }),
    phone,
    hostUserId,
    status,
    timezone,
    language,
    ...inOrder(details, ['birthday', 'tags', 'phones']),
  }
}

/**
 * Returns a reservation as an entry of a JSON site file, with its id. Times are wall times of the provider's zone, or
 * Unix seconds for the second occurrence of a wall time that occurs twice.
 */
export function reservationEntry(
  reservation: Reservation,
  of: { readonly key: string | null; readonly service: string; readonly customer: string; readonly zone: string },
): ReservationEntry {
  const { id, providerId, start, end, status, attendance, note, cancelReason, data } = reservation
  return {
    id,
    ...(of.key !== null && { key: of.key }),
    service: of.service,
    provider: providerId,
    customer: of.customer,
    start: moment(of.zone, start),
    end: moment(of.zone, end),
    status,
    ...(attendance.state !== 'expected' && { attendance: shownAttendance(attendance) }),
    ...(note !== '' && { note }),
    ...(cancelReason !== '' && { cancelReason }),
    ...(hasKeys(data) && { data }),
  }
}

function moment(zone: string, instant: number): string | number {
  const wall = wallTime(zone, instant)
  return toInstant(zone, wall) === instant ? wall : instant
}

function hasKeys(data: object): boolean {
  return Object.keys(data).length > 0
}

/**
 * Returns a copy of the object with the keys in `names`, in this order; other keys and undefined values are left out.
 */
function inOrder<T extends object>(object: T, names: readonly (keyof T)[]): Partial<T> {
  const ordered: Partial<T> = {}
  for (const name of names) if (object[name] !== undefined) ordered[name] = object[name]
  return ordered
}
