import type { Approval, ProviderServiceSettings } from '../services/service.ts'

export type Weekday = 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun'
export const weekdays: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

/** Opening hours of a week: per weekday, windows `HH:MM-HH:MM` in the provider's zone; an absent day is closed. */
export type Weekly = Readonly<Partial<Record<Weekday, readonly string[]>>>

/** What differs for the slots of one date. */
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

/** Replaces the windows that start on these local dates (`YYYY-MM-DD`, ends included); without `hours` only sets `slot`. */
export interface DateOverride {
  readonly from: string
  readonly to: string
  readonly hours?: readonly string[]
  readonly slot?: SlotOverrides
}

export interface Provider {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly timezone: string
  readonly restrictServices: boolean
  readonly allowedServices: readonly string[]
  readonly weekly: Weekly
  readonly overrides: readonly DateOverride[]
  /** Service id → this provider's own settings for it. */
  readonly services: ReadonlyMap<string, ProviderServiceSettings>
}

/** A provider as kept: also what integrations keep beside the settings, by service id. */
export interface ProviderRecord extends Provider {
  readonly serviceData: ReadonlyMap<string, Readonly<Record<string, unknown>>>
}

/** The provider as lists show it: exactly the three fields of the contract. */
export function shownProvider({ id, name, email }: Provider) {
  return { id, name, email }
}

/** The whole provider, as history and the feed of events show it. */
export function shownProviderInFull(provider: ProviderRecord) {
  const { allowedServices, restrictServices, timezone, weekly, overrides } = provider
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
    services: Object.fromEntries(services),
  }
}

/** With which hours a new provider begins until the site says others: Monday to Friday, nine to five. */
export const defaultWeekly: Weekly = Object.fromEntries(
  (['mon', 'tue', 'wed', 'thu', 'fri'] as const).map((day) => [day, ['09:00-17:00']]),
)

/** A provider of whom nothing is said yet: works in the site's zone at its hours for new ones and takes every service. */
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

/** What of a provider is changed as a whole; an absent field stays. Settings for one service are changed apart. */
export type ProviderChange = Partial<Omit<Provider, 'id' | 'services'>>

/** Whether this provider may handle the service: not restricted away from it, and taking part in it. */
export function handles(provider: Provider, serviceId: string): boolean {
  if (provider.restrictServices && !provider.allowedServices.includes(serviceId)) return false
  return provider.services.get(serviceId)?.participate !== false
}
