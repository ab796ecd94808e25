import type { Static, TProperties } from 'typebox'
import { providerIdLimit } from '../catalogue/providers/provider.ts'
import type { CustomerStatus } from '../customers/customer.ts'
import { maxPhones } from '../customers/details/customer-details.ts'
import type { ServicePageEntry } from '../site-file/site-file.ts'
import { customerDetails, labelledPhone } from './customer-details.ts'
import {
  brandColor,
  color,
  currency,
  description,
  email,
  hostUserId,
  language,
  localDate,
  meetingLink,
  name,
  phone,
  timezone,
  typed,
  whole,
} from './fields.ts'
import { pageSettings, servicePageSettings, slug } from './panel/booking/booking-page.ts'
import {
  attendanceState,
  attendanceTimes,
  formEntries,
  limits,
  override,
  policies,
  providerServiceSettings,
  reservationStatus,
  serviceSettings,
  slotOverrides,
  weekly,
} from './resources.ts'
import { Type } from './schema.ts'

const key = Type.String({
  maxLength: 200,
  format: 'key',
  description: 'Names the entry in the file and is stored: applying the file again changes the same entry',
})
const reference = Type.String({
  maxLength: 200,
  format: 'key',
  description: 'A key of this or an earlier file, or an id',
})
const zone = Type.String({ maxLength: 100, format: 'timezone', description: 'IANA time zone' })
const data = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, maxDepth: 6 })
const moment = Type.Unsafe<string | number>({
  anyOf: [
    { type: 'string', format: 'local-time' },
    { type: 'integer', minimum: 0, maximum: 32_503_680_000 },
  ],
  description: 'Local time of the provider, or Unix seconds',
})
// New providers get the ids after the highest one, so the upper half of the ids is left to them.
const providerId = whole(1, providerIdLimit / 2 - 1)

function id(format: 'service-id' | 'customer-id' | 'reservation-id') {
  return Type.String({ format, description: 'The identifier to keep' })
}

const site = closed({
  name: Type.Optional(name),
  timezone: Type.Optional(zone),
  siteUrl: Type.Optional(typed(2_000, { format: 'site-url' })),
  language: Type.Optional(language),
  currency: Type.Optional(currency),
  holidays: Type.Optional(
    Type.Array(closed({ from: localDate, to: localDate, name: Type.Optional(typed(200)) }), { maxItems: 10_000 }),
  ),
  policies: Type.Optional(closed(policies.properties)),
  defaultWeekly: Type.Optional(
    Type.Object(weekly.properties, {
      additionalProperties: false,
      description: 'Opening hours of new providers that are added without any',
    }),
  ),
  appearance: Type.Optional(closed({ color: brandColor })),
})

const service = closed({
  id: Type.Optional(id('service-id')),
  key: Type.Optional(key),
  name,
  description: Type.Optional(description),
  color: Type.Optional(color),
  data: Type.Optional(data),
  form: Type.Optional(formEntries),
  ...serviceSettings.properties,
  limits: Type.Optional(closed(limits.properties)),
})

const dayOverride = closed({ ...override.properties, slot: Type.Optional(closed(slotOverrides.properties)) })
const providerService = closed({ ...providerServiceSettings.properties, data: Type.Optional(data) })

const provider = closed({
  id: Type.Optional(providerId),
  key: Type.Optional(key),
  name,
  email: Type.Optional(email),
  timezone: Type.Optional(zone),
  restrictServices: Type.Optional(Type.Boolean()),
  allowedServices: Type.Optional(Type.Array(reference)),
  doubleBooking: Type.Optional(Type.Boolean()),
  meetingLink: Type.Optional(meetingLink),
  weekly: Type.Optional(closed(weekly.properties)),
  overrides: Type.Optional(Type.Array(dayOverride, { maxItems: 10_000 })),
  services: Type.Optional(
    Type.Unsafe<Record<string, Static<typeof providerService>>>({
      type: 'object',
      additionalProperties: providerService,
      description: 'By key or id of the service; null resets a setting',
    }),
  ),
})

const customer = closed({
  id: Type.Optional(id('customer-id')),
  key: Type.Optional(key),
  name,
  email: Type.Optional(email),
  phone: Type.Optional(phone),
  hostUserId: Type.Optional(hostUserId),
  status: Type.Optional(
    Type.Unsafe<CustomerStatus>({ type: 'integer', enum: [0, 1, 2], description: '1 active, 0 inactive, 2 blocked' }),
  ),
  timezone: Type.Optional(timezone),
  language: Type.Optional(language),
  ...customerDetails,
  phones: Type.Optional(Type.Array(closed(labelledPhone.properties), { maxItems: maxPhones })),
})

const reservation = closed({
  id: Type.Optional(id('reservation-id')),
  key: Type.Optional(key),
  service: reference,
  provider: Type.Unsafe<string | number>({
    anyOf: [
      { type: 'string', maxLength: 200, format: 'key' },
      { type: 'integer', minimum: 1 },
    ],
    description: 'A key or an id',
  }),
  customer: reference,
  start: moment,
  end: Type.Optional(moment),
  status: Type.Optional(reservationStatus),
  attendance: Type.Optional(closed({ state: attendanceState, ...attendanceTimes.properties })),
  note: Type.Optional(Type.String({ maxLength: 2_000, description: 'The desk’s note, visible in the panel only' })),
  cancelReason: Type.Optional(Type.String({ maxLength: 500, description: 'Kept while the status is cancelled' })),
  data: Type.Optional(data),
})

const bookingPage = closed({
  ...Type.Partial(Type.Object(pageSettings)).properties,
  services: Type.Optional(
    Type.Unsafe<Readonly<Record<string, ServicePageEntry>>>({
      type: 'object',
      additionalProperties: closed({
        slug: Type.Optional(slug),
        ...Type.Partial(Type.Object(servicePageSettings)).properties,
      }),
      description: 'By key or id of the service',
    }),
  ),
})

/**
 * The schema of the site file (the JSON file that describes the site). Undeclared members are errors at most levels,
 * but not inside `data`, `payment`, `notifications` and `policies.noShows`.
 */
export const siteFile = closed({
  site: Type.Optional(site),
  services: Type.Optional(Type.Array(service)),
  providers: Type.Optional(Type.Array(provider)),
  customers: Type.Optional(Type.Array(customer)),
  reservations: Type.Optional(Type.Array(reservation)),
  bookingPage: Type.Optional(bookingPage),
})

/**
 * Returns the schema of the site file as a published document, without `reads` and `maxDepth`, which are not keywords
 * of JSON Schema.
 */
export function siteFileDocument(): string {
  const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'Daybook site file', ...siteFile }
  return `${JSON.stringify(schema, (key, value) => (notes.has(key) ? undefined : value), 2)}\n`
}

const notes = new Set(['reads', 'maxDepth'])

function closed<Fields extends TProperties>(fields: Fields) {
  return Type.Object(fields, { additionalProperties: false })
}
