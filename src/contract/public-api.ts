import type { PublicContract } from './endpoint.ts'
import * as field from './fields.ts'
import * as is from './resources.ts'
import { Type } from './schema.ts'

const none = Type.Object({})
const nothing = Type.Unsafe<Record<string, never>>(Type.Object({}))
const created = Type.Object({ id: Type.String({ description: 'Identifier of what was created' }) })

const ids = (what: string) =>
  Type.Optional(
    Type.Unsafe<string[]>({
      type: 'string',
      description: `Comma-separated ${what} ids`,
      reads: 'ids' satisfies field.Conversion,
    }),
  )
const named = Type.Object({ id: field.id })
const paging = {
  page: Type.Optional(field.whole(1, 1_000_000_000, { description: 'Page of the list, from 1', ...field.addition })),
  per_page: Type.Optional(field.whole(1, 500, { description: 'Items on a page; 100 beside page', ...field.addition })),
}

const reservationData = field.freeData({ maxProperties: 64, maxBytes: 16_384 })
// The limits exceed those of stored data, because a client may send back the `data` of a service that a list with
// `full=true` contains: the settings of the service and up to 64 keys of integrations.
const serviceData = field.freeData({ maxProperties: 128, maxBytes: 65_536 })

const expectedPrice = Type.Optional(
  Type.Object(
    {
      amount: field.whole(0, Number.MAX_SAFE_INTEGER, { description: 'In the smallest unit of the currency' }),
      currency: field.currency,
    },
    { description: 'Refuse with slot_price_changed when the slot costs anything else; not stored', ...field.addition },
  ),
)

const reservationCreate = Type.Object({
  serviceId: field.id,
  customerId: field.id,
  providerId: field.providerRef,
  availabilityId: field.id,
  start: field.instant,
  end: field.instant,
  data: Type.Optional(reservationData),
  expectedPrice,
})

const reservationEdit = Type.Object({
  id: field.id,
  serviceId: Type.Optional(field.id),
  customerId: Type.Optional(field.id),
  providerId: Type.Optional(field.providerRef),
  start: Type.Optional(field.instant),
  end: Type.Optional(field.instant),
  status: Type.Optional(is.reservationStatus),
  data: Type.Optional(reservationData),
  availabilityId: Type.Optional(
    Type.String({ description: 'Looked at only when the slot changes', ...field.addition }),
  ),
  expectedPrice,
})

const customerCreate = Type.Object({
  name: field.name,
  email: field.email,
  phone: Type.Optional(field.phone),
  hostUserId: Type.Optional(field.hostUserId),
  timezone: Type.Optional(field.timezone),
  language: Type.Optional(field.language),
})

const customerEdit = Type.Object({
  id: field.id,
  name: Type.Optional(field.name),
  email: Type.Optional(field.email),
  phone: Type.Optional(field.phone),
  hostUserId: Type.Optional(field.hostUserId),
  status: Type.Optional(
    Type.Unsafe<0 | 1 | 2>({ type: 'integer', enum: [0, 1, 2], description: '1 active, 0 inactive, 2 blocked' }),
  ),
  timezone: Type.Optional(field.timezone),
  language: Type.Optional(
    field.typed(100, { format: 'language', description: 'BCP 47 tag; empty for none', ...field.addition }),
  ),
})

const serviceCreate = Type.Object({
  name: field.name,
  description: Type.Optional(field.description),
  class: Type.Optional(field.appointment),
  color: Type.Optional(field.color),
})

const serviceEdit = Type.Object({
  id: field.id,
  data: Type.Optional(serviceData),
  name: Type.Optional(field.typed(200, { minLength: 1, ...field.addition })),
  description: Type.Optional(field.typed(10_000, field.addition)),
  class: Type.Optional(Type.Literal('appointment', field.addition)),
  color: Type.Optional(
    Type.Union([field.typed(100, { format: 'color' }), Type.Null()], {
      description: 'Any CSS colour',
      ...field.addition,
    }),
  ),
})

const providerRestrictions = Type.Object({
  id: field.providerRef,
  allowedServices: Type.Optional(Type.Array(field.id, { description: 'Service ids the provider may handle' })),
  restrictServices: Type.Optional(Type.Boolean()),
})

const providerService = Type.Unsafe<Record<string, unknown>>(
  Type.Object(is.providerServiceSettings.properties, {
    additionalProperties: true,
    maxProperties: 128,
    maxBytes: 65_536,
    maxDepth: 6,
    description: 'Settings of this provider for this service, merged; null resets. Other keys are kept as data.',
  }),
)

/**
 * Every route of the public API: first the routes of the API specification that Daybook implements, in the order of the
 * specification, then Daybook's additions. Routing, authorisation, validation, types and the OpenAPI document are
 * derived from this table.
 */
export const publicApi = {
  'GET /auth/verify/': {
    summary: 'Verify the token',
    scope: 'read',
    query: none,
    body: null,
    envelope: 'response',
    returns: is.tokenView,
    ok: 200,
  },
  'GET /availability/get/': {
    summary: 'List bookable slots that start in [min_timestamp, max_timestamp)',
    scope: 'read',
    query: Type.Object({
      min_timestamp: field.int64,
      max_timestamp: field.int64,
      services: ids('service'),
      providers: field.providerIds,
      ...paging,
    }),
    body: null,
    envelope: 'list',
    returns: is.slot,
    ok: 200,
    tagged: true,
  },
  'GET /services/get/': {
    summary: 'List services',
    scope: 'read',
    query: Type.Object({ full: field.flag('Include data'), ...paging }),
    body: null,
    envelope: 'list',
    returns: is.service,
    ok: 200,
  },
  'GET /providers/get/': {
    summary: 'List providers',
    scope: 'read',
    query: Type.Object({ ...paging }),
    body: null,
    envelope: 'list',
    returns: is.provider,
    ok: 200,
  },
  'GET /customers/get/': {
    summary: 'List customers',
    scope: 'read',
    query: Type.Object({ ...paging }),
    body: null,
    envelope: 'list',
    returns: is.customer,
    ok: 200,
  },
  'GET /reservations/get/': {
    summary: 'List reservations',
    scope: 'read',
    query: Type.Object({
      full: field.flag('Include stored data properties'),
      past: field.flag('Include past reservations'),
      customers: ids('customer'),
      services: ids('service'),
      providers: field.providerIds,
      status: Type.Optional(is.reservationStatus),
      ...paging,
    }),
    body: null,
    envelope: 'list',
    returns: is.reservation,
    ok: 200,
  },
  'POST /reservations/add/': {
    summary: 'Book a slot',
    scope: 'write',
    query: none,
    body: reservationCreate,
    envelope: 'id',
    returns: created,
    ok: 200,
  },
  'POST /reservations/edit/': {
    summary: 'Change, move, confirm or cancel a reservation',
    scope: 'write',
    query: none,
    body: reservationEdit,
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /reservations/remove/': {
    summary: 'Remove a reservation',
    scope: 'write',
    query: named,
    body: null,
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
    namedInQuery: true,
  },
  'POST /customers/add/': {
    summary: 'Add a customer',
    scope: 'write',
    query: Type.Object({
      createUser: field.flag('Create a linked host-platform user when hostUserId is not supplied'),
    }),
    body: customerCreate,
    aliases: { host_user: 'hostUserId' },
    envelope: 'id',
    returns: created,
    ok: 201,
  },
  'POST /customers/edit/': {
    summary: 'Change a customer',
    scope: 'write',
    query: none,
    body: customerEdit,
    aliases: { host_user: 'hostUserId' },
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /customers/remove/': {
    summary: 'Remove a customer',
    scope: 'write',
    query: named,
    body: null,
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
    namedInQuery: true,
  },
  'POST /services/add/': {
    summary: 'Add a service',
    scope: 'write',
    query: none,
    body: serviceCreate,
    envelope: 'id',
    returns: created,
    ok: 200,
  },
  'POST /services/edit/': {
    summary: 'Change a service',
    scope: 'write',
    query: none,
    body: serviceEdit,
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /services/remove/': {
    summary: 'Remove a service',
    scope: 'write',
    query: named,
    body: null,
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
    namedInQuery: true,
  },
  'POST /providers/edit/': {
    summary: 'Change which services a provider may handle',
    scope: 'write',
    query: none,
    body: providerRestrictions,
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /providers/edit/service/': {
    summary: 'Change the settings of one provider for one service',
    scope: 'write',
    query: Type.Object({ serviceId: field.id, providerId: field.providerRef }),
    body: providerService,
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'GET /availability/explain/': {
    summary: 'Say rule by rule whether one slot can be booked, and why not',
    scope: 'read',
    query: Type.Object({ serviceId: field.id, providerId: field.providerRef, start: field.calendarInstant }),
    body: null,
    envelope: 'response',
    returns: is.explanation,
    ok: 200,
    addition: true,
  },
  'GET /events/get/': {
    summary: 'Read the feed of events in order, after the last one seen',
    scope: 'read',
    query: Type.Object({
      after: Type.Optional(Type.String({ maxLength: 100, description: 'seq of the last event seen' })),
      limit: Type.Optional(field.whole(1, 500, { description: '100 when absent' })),
    }),
    body: null,
    envelope: 'response',
    returns: Type.Array(is.loggedEvent),
    ok: 200,
    addition: true,
  },
} as const satisfies PublicContract

export type PublicApi = typeof publicApi
