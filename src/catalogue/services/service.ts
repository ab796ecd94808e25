import type { FormField } from './booking-form.ts'

export type RoutingMode = 'direct' | 'round_robin' | 'least_busy' | 'priority' | 'weighted' | 'random' | 'collective'
export type Approval = 'none' | 'admin' | 'provider'

export const routingModes: readonly RoutingMode[] = [
  'direct',
  'round_robin',
  'least_busy',
  'priority',
  'weighted',
  'random',
  'collective',
]

/** How many pending and confirmed reservations of one service there may be; an absent limit does not bind. */
export interface Limits {
  readonly perProviderDay?: number
  readonly perServiceDay?: number
  readonly minutesPerProviderWeek?: number
  readonly perCustomerDay?: number
}

/** What the panel and the site file set for a service, under the names they use; minutes and days as typed there. */
export interface ServiceSettings {
  readonly durationMinutes: number
  /** null follows the resolved duration. */
  readonly intervalMinutes: number | null
  readonly bufferBeforeMinutes: number
  readonly bufferAfterMinutes: number
  readonly capacity: number
  readonly leadTimeMinutes: number
  readonly horizonDays: number
  readonly limits: Limits
  readonly approval: Approval
  /** Whether a pending reservation takes room. */
  readonly pendingBlocks: boolean
  readonly routingMode: RoutingMode
  /** Smallest unit of `currency` (the site's when null). */
  readonly price: number | null
  readonly currency: string | null
  readonly payment: Readonly<Record<string, unknown>> | null
  readonly notifications: Readonly<Record<string, unknown>> | null
  readonly active: boolean
}

/** A new service works at once with these. */
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
  active: true,
}

/** Whether settings have this key; every other key of what is shown of a service is the integration's own. */
export function isServiceSetting(key: string): key is keyof ServiceSettings {
  return Object.hasOwn(defaultServiceSettings, key)
}

export interface Service {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly color: string | null
  readonly settings: ServiceSettings
  /** The integration's own keys, exactly as stored. */
  readonly data: Readonly<Record<string, unknown>>
  /** What is asked when it is booked, in this order. */
  readonly form: readonly FormField[]
}

/** The service as lists show it without `full`. */
export function shownService({ id, name, description, color }: Service) {
  return { id, name, description, class: 'appointment' as const, color }
}

/** The service as lists show it with `full`: `data` holds the integration's own keys and the settings; `form` is there if anything is asked. */
export function shownServiceInFull(service: Service) {
  const { form, data, settings } = service
  return { ...shownService(service), data: { ...data, ...settings }, ...(form.length > 0 && { form }) }
}

/** What one provider does differently for one service; an absent key follows the service. */
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

/** Every key of those settings, in the order in which they are written. */
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

/** What holds for one service with one provider, once both settings are resolved; all times in seconds. */
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

/** Resolves a service's settings with one provider's own: the provider's win; an unset interval follows the duration. */
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
