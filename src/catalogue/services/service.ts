import type { FormField } from './booking-form.ts'

/** The maximum duration of an appointment, and the maximum interval between two starts, in minutes: a week. */
export const maxAppointmentMinutes = 10_080
/** The maximum buffer before and after an appointment, in minutes. */
export const maxBufferMinutes = 1_440

/**
 * How the provider of a slot is determined: the customer chooses (`direct`), a rule chooses among several providers, or
 * all providers of the service take part (`collective`).
 */
export type RoutingMode = 'direct' | 'round_robin' | 'least_busy' | 'priority' | 'weighted' | 'random' | 'collective'

/** Whether a service of this mode is a pool: the provider for each slot is chosen among several. */
export function isPool(mode: RoutingMode): boolean {
  return mode !== 'direct' && mode !== 'collective'
}

/** Who must approve a reservation of a service; `none` when it needs no approval. */
export type Approval = 'none' | 'admin' | 'provider'

/** All values of `RoutingMode`. */
export const routingModes: readonly RoutingMode[] = [
  'direct',
  'round_robin',
  'least_busy',
  'priority',
  'weighted',
  'random',
  'collective',
]

/**
 * Limits on the pending and confirmed reservations of a service: on their number per day, or their minutes per week; an
 * absent limit does not apply.
 */
export interface Limits {
  readonly perProviderDay?: number
  readonly perServiceDay?: number
  readonly minutesPerProviderWeek?: number
  readonly perCustomerDay?: number
}

/**
 * The settings of a service in the units (such as minutes and days) of the panel and of the site file, a JSON
 * description of the site.
 */
export interface ServiceSettings {
  readonly durationMinutes: number
  /** The interval between the starts of slots, in minutes; null for an interval equal to the duration. */
  readonly intervalMinutes: number | null
  readonly bufferBeforeMinutes: number
  readonly bufferAfterMinutes: number
  readonly capacity: number
  readonly leadTimeMinutes: number
  readonly horizonDays: number
  readonly limits: Limits
  readonly approval: Approval
  /** Whether a reservation that is pending approval occupies a seat. */
  readonly pendingBlocks: boolean
  readonly routingMode: RoutingMode
  /** The price of a seat in minor units of `currency`, or of the site's currency if that is null; null for no price. */
  readonly price: number | null
  readonly currency: string | null
  readonly payment: Readonly<Record<string, unknown>> | null
  readonly notifications: Readonly<Record<string, unknown>> | null
  /**
   * Whether appointments take place online: at the meeting link of the provider, or in a meeting that the system of the
   * provider's calendar creates.
   */
  readonly online: boolean
  readonly active: boolean
}

/** The settings of a new service. */
export const defaultServiceSettings: ServiceSettings = {
  durationMinutes: 60,
  intervalMinutes: null,
  bufferBeforeMinutes: 0,
  bufferAfterMinutes: 0,
  capacity: 1,
  leadTimeMinutes: 0,
  horizonDays: 60,
  limits: {},
  approval: 'none',
  pendingBlocks: true,
  routingMode: 'direct',
  price: null,
  currency: null,
  payment: null,
  notifications: null,
  online: false,
  active: true,
}

/** Whether a key of a service's `data` is a setting; every other key belongs to an integration. */
export function isServiceSetting(key: string): key is keyof ServiceSettings {
  return Object.hasOwn(defaultServiceSettings, key)
}

/** A service with its settings. */
export interface Service {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly color: string | null
  readonly settings: ServiceSettings
  /** The keys and values that integrations added to the service, exactly as stored. */
  readonly data: Readonly<Record<string, unknown>>
  /** The fields of the service's booking form, in the order in which they are asked. */
  readonly form: readonly FormField[]
}

/** Returns the fields of a service that a list of the public API shows unless the parameter `full` is set. */
export function shownService({ id, name, description, color }: Service) {
  return { id, name, description, class: 'appointment' as const, color }
}

/**
 * Returns the fields of a service in events and in lists of the public API with `full`: `data` contains integration
 * keys and settings, and `form` is absent when empty.
 */
export function shownServiceInFull(service: Service) {
  const { form, data, settings } = service
  return { ...shownService(service), data: { ...data, ...settings }, ...(form.length > 0 && { form }) }
}

/**
 * The settings that one provider has for one service. An absent setting is inherited from the service; `participate`,
 * `priority` and `weight`, which a service does not have, default to true, 0 and 1.
 */
export interface ProviderServiceSettings {
  readonly participate?: boolean
  readonly durationMinutes?: number
  readonly intervalMinutes?: number
  readonly bufferBeforeMinutes?: number
  readonly bufferAfterMinutes?: number
  readonly leadTimeMinutes?: number
  readonly horizonDays?: number
  readonly capacity?: number
  readonly price?: number
  readonly priority?: number
  readonly weight?: number
}

/**
 * The names of the settings that a provider can have for a service, in the order in which an exported site file lists
 * them.
 */
export const providerServiceKeys: readonly (keyof ProviderServiceSettings)[] = [
  'participate',
  'durationMinutes',
  'intervalMinutes',
  'bufferBeforeMinutes',
  'bufferAfterMinutes',
  'leadTimeMinutes',
  'horizonDays',
  'capacity',
  'price',
  'priority',
  'weight',
]

/** The settings that apply to a service with one provider. All durations are in seconds. */
export interface EffectiveSettings {
  readonly serviceId: string
  readonly providerId: number
  readonly duration: number
  readonly interval: number
  readonly bufferBefore: number
  readonly bufferAfter: number
  readonly capacity: number
  readonly leadTime: number
  readonly horizon: number
  readonly price: number | null
  readonly currency: string | null
  readonly priority: number
  readonly weight: number
}

/**
 * Resolves the settings of a service with one provider: the provider's own settings take precedence, and the interval
 * defaults to the duration.
 */
export function effectiveSettings(
  service: Service,
  providerId: number,
  own: ProviderServiceSettings | undefined,
): EffectiveSettings {
  const { settings } = service
  const duration = own?.durationMinutes ?? settings.durationMinutes
  return {
    serviceId: service.id,
    providerId,
    duration: duration * 60,
    interval: (own?.intervalMinutes ?? settings.intervalMinutes ?? duration) * 60,
    bufferBefore: (own?.bufferBeforeMinutes ?? settings.bufferBeforeMinutes) * 60,
    bufferAfter: (own?.bufferAfterMinutes ?? settings.bufferAfterMinutes) * 60,
    capacity: own?.capacity ?? settings.capacity,
    leadTime: (own?.leadTimeMinutes ?? settings.leadTimeMinutes) * 60,
    horizon: (own?.horizonDays ?? settings.horizonDays) * 86_400,
    price: own?.price ?? settings.price,
    currency: settings.currency,
    priority: own?.priority ?? 0,
    weight: own?.weight ?? 1,
  }
}
