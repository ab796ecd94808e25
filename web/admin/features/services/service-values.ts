import type { FormField } from '../../../../src/catalogue/services/booking-form.ts'
import { type Approval, defaultServiceSettings, type RoutingMode } from '../../../../src/catalogue/services/service.ts'
import { toMajorUnits, toMinorUnits } from '../../data/dates/money.ts'
import type { Item, PanelRouteRequest } from '../../data/request.ts'
import { type PaymentValues, paymentOf, paymentValuesOf } from './payment-values.ts'

/** A service as the form loads it. */
export type ShownService = Item<'GET /services/one/'>

/** The value of a number field: a string while the field is empty or invalid. */
type NumberInputValue = number | string

/** The form values of a service, with the field names of the request body. */
export interface ServiceValues {
  readonly name: string
  readonly description: string
  readonly color: string
  readonly active: boolean
  readonly durationMinutes: NumberInputValue
  readonly intervalMinutes: NumberInputValue
  readonly bufferBeforeMinutes: NumberInputValue
  readonly bufferAfterMinutes: NumberInputValue
  readonly capacity: NumberInputValue
  readonly leadTimeMinutes: NumberInputValue
  readonly horizonDays: NumberInputValue
  readonly limits: Readonly<Record<LimitName, NumberInputValue>>
  readonly approval: Approval
  readonly pendingBlocks: boolean
  readonly online: boolean
  readonly routingMode: RoutingMode
  /** The price in major units of the currency; an empty string for no price. */
  readonly price: NumberInputValue
  readonly currency: string
  readonly payment: PaymentValues
  readonly form: FormField[]
}

/**
 * The booking limits of a service, by name: the maximum number of its pending and confirmed reservations per day, or of
 * their minutes per week.
 */
export const limitNames = ['perProviderDay', 'perServiceDay', 'minutesPerProviderWeek', 'perCustomerDay'] as const
type LimitName = (typeof limitNames)[number]

/** The number fields of a service that must not be empty. */
export const requiredNumbers = [
  'durationMinutes',
  'bufferBeforeMinutes',
  'bufferAfterMinutes',
  'capacity',
  'leadTimeMinutes',
  'horizonDays',
] as const

/** Converts a service to form values; undefined yields the default values of a new service. */
export function serviceValuesOf(service: ShownService | undefined): ServiceValues {
  const {
    name = '',
    description = '',
    color = null,
    settings = defaultServiceSettings,
    form = [],
    siteCurrency = '',
  } = service ?? {}
  const { payment, notifications, intervalMinutes, price, currency, limits, ...others } = settings
  return {
    ...others,
    name,
    description,
    form: [...form],
    color: color ?? '',
    intervalMinutes: intervalMinutes ?? '',
    price: price === null ? '' : toMajorUnits(price, currency ?? siteCurrency),
    currency: currency ?? '',
    payment: paymentValuesOf(payment, currency ?? siteCurrency),
    limits: {
      perProviderDay: limits.perProviderDay ?? '',
      perServiceDay: limits.perServiceDay ?? '',
      minutesPerProviderWeek: limits.minutesPerProviderWeek ?? '',
      perCustomerDay: limits.perCustomerDay ?? '',
    },
  }
}

type Body = PanelRouteRequest<'POST /services/add/'>['body']

/** Converts the form values of a service to the settings in the request body. */
export function serviceSettingsOf(values: ServiceValues, siteCurrency: string) {
  const { name, description, color, form, intervalMinutes, price, currency, payment, limits, ...others } = values
  const code = currency === '' ? siteCurrency : currency
  return {
    ...others,
    durationMinutes: Number(values.durationMinutes),
    bufferBeforeMinutes: Number(values.bufferBeforeMinutes),
    bufferAfterMinutes: Number(values.bufferAfterMinutes),
    capacity: Number(values.capacity),
    leadTimeMinutes: Number(values.leadTimeMinutes),
    horizonDays: Number(values.horizonDays),
    intervalMinutes: numberOf(intervalMinutes),
    price: price === '' ? null : toMinorUnits(Number(price), code),
    currency: currency === '' ? null : currency,
    payment: paymentOf(payment, code),
    limits: Object.fromEntries(limitNames.map((limit) => [limit, numberOf(limits[limit])])),
  }
}

/** Converts the form values of a service to the request body. */
export function serviceBodyOf(values: ServiceValues, siteCurrency: string): Body {
  const { name, description, color, form } = values
  return { name, description, form, color: color === '' ? null : color, ...serviceSettingsOf(values, siteCurrency) }
}

function numberOf(typed: NumberInputValue): number | null {
  return typed === '' ? null : Number(typed)
}
