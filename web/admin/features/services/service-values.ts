import type { FormField } from '../../../../src/catalogue/services/booking-form.ts'
import { type Approval, defaultServiceSettings, type RoutingMode } from '../../../../src/catalogue/services/service.ts'
import { smallestUnits, typedAmount } from '../../data/dates/money.ts'
import type { Item, PanelQuery } from '../../data/request.ts'
import { type PaymentValues, paymentOf, paymentValuesOf } from './payment-values.ts'

/** The service shown in the form. */
export type ShownService = Item<'GET /services/one/'>

/** The value of a number field: a string while the field is empty or invalid. */
type Typed = number | string

/** The form values of a service, with the field names of the request body. */
export interface ServiceValues {
  readonly name: string
  readonly description: string
  readonly color: string
  readonly active: boolean
  readonly durationMinutes: Typed
  readonly intervalMinutes: Typed
  readonly bufferBeforeMinutes: Typed
  readonly bufferAfterMinutes: Typed
  readonly capacity: Typed
  readonly leadTimeMinutes: Typed
  readonly horizonDays: Typed
  readonly limits: Readonly<Record<LimitName, Typed>>
  readonly approval: Approval
  readonly pendingBlocks: boolean
  readonly online: boolean
  readonly routingMode: RoutingMode
  /** The price in major units of the currency. */
  readonly price: Typed
  readonly currency: string
  readonly payment: PaymentValues
  readonly form: FormField[]
}

/** The names of the booking limits. */
export const limitNames = ['perProviderDay', 'perServiceDay', 'minutesPerProviderWeek', 'perCustomerDay'] as const
type LimitName = (typeof limitNames)[number]

/** The required number fields. */
export const neededNumbers = [
  'durationMinutes',
  'bufferBeforeMinutes',
  'bufferAfterMinutes',
  'capacity',
  'leadTimeMinutes',
  'horizonDays',
] as const

/** Converts a service to form values; default values for a new service. */
export function valuesOf(service: ShownService | undefined): ServiceValues {
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
    price: price === null ? '' : typedAmount(price, currency ?? siteCurrency),
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

type Body = PanelQuery<'POST /services/add/'>['body']

/** Converts form values to the settings of the request body. */
export function settingsOf(values: ServiceValues, siteCurrency: string) {
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
    price: price === '' ? null : smallestUnits(Number(price), code),
    currency: currency === '' ? null : currency,
    payment: paymentOf(payment, code),
    limits: Object.fromEntries(limitNames.map((limit) => [limit, numberOf(limits[limit])])),
  }
}

/** Converts form values to the request body. */
export function bodyOf(values: ServiceValues, siteCurrency: string): Body {
  const { name, description, color, form } = values
  return { name, description, form, color: color === '' ? null : color, ...settingsOf(values, siteCurrency) }
}

/**
 * Returns the fields of `after` that differ from `before`; unchanged fields are not sent, since another user may have
 * changed them.
 */
export function changedFields(before: Body, after: Body): Partial<Body> {
  const were = new Map(Object.entries(before).map(([field, value]) => [field, JSON.stringify(value)]))
  return Object.fromEntries(Object.entries(after).filter(([field, value]) => were.get(field) !== JSON.stringify(value)))
}

function numberOf(typed: Typed): number | null {
  return typed === '' ? null : Number(typed)
}
