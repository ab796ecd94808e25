import type { PublicContract } from './endpoint.ts'
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
      reads: 'ids' satisfies is.Conversion,
    }),
  )
const named = Type.Object({ id: is.id })
const paging = {
  page: Type.Optional(is.whole(1, 1_000_000_000, { description: 'Page of the list, from 1', ...is.addition })),
  per_page: Type.Optional(is.whole(1, 500, { description: 'Items on a page; 100 beside page', ...is.addition })),
}

const reservationData = is.freeData({ maxProperties: 64, maxBytes: 16_384 })
// With full=true, `data` contains the panel's settings besides the 64 keys of integrations.
const serviceData = is.freeData({ maxProperties: 128, maxBytes: 65_536 })

const expectedPrice = Type.Optional(
  Type.Object(
    {
      amount: is.whole(0, Number.MAX_SAFE_INTEGER, { description: 'In the smallest unit of the currency' }),
      currency: is.currency,
    },
    { description: 'Refuse with slot_price_changed when the slot costs anything else; not stored', ...is.addition },
  ),
)

const reservationCreate = Type.Object({
  serviceId: is.id,
  customerId: is.id,
  providerId: is.providerRef,
  availabilityId: is.id,
  start: is.instant,
  end: is.instant,
  data: Type.Optional(reservationData),
  expectedPrice,
})

const reservationEdit = Type.Object({
  id: is.id,
  serviceId: Type.Optional(is.id),
  customerId: Type.Optional(is.id),
  providerId: Type.Optional(is.providerRef),
  start: Type.Optional(is.instant),
  end: Type.Optional(is.instant),
  status: Type.Optional(is.reservationStatus),
  data: Type.Optional(reservationData),
  availabilityId: Type.Optional(Type.String({ description: 'Looked at only when the slot changes', ...is.addition })),
  expectedPrice,
})

const customerCreate = Type.Object({
  name: is.name,
  email: is.email,
  phone: Type.Optional(is.phone),
  hostUserId: Type.Optional(is.hostUserId),
  timezone: Type.Optional(is.timezone),
  language: Type.Optional(is.language),
})

const customerEdit = Type.Object({
  id: is.id,
  name: Type.Optional(is.name),
  email: Type.Optional(is.email),
  phone: Type.Optional(is.phone),
  hostUserId: Type.Optional(is.hostUserId),
  status: Type.Optional(
    Type.Unsafe<0 | 1 | 2>({ type: 'integer', enum: [0, 1, 2], description: '1 active, 0 inactive, 2 blocked' }),
  ),
  timezone: Type.Optional(is.timezone),
  language: Type.Optional(
    is.typed(100, { format: 'language', description: 'BCP 47 tag; empty for none', ...is.addition }),
  ),
})

const serviceCreate = Type.Object({
  name: is.name,
  description: Type.Optional(is.description),
  class: Type.Optional(is.appointment),
  color: Type.Optional(is.color),
})

const serviceEdit = Type.Object({
  id: is.id,
  data: Type.Optional(serviceData),
  name: Type.Optional(is.typed(200, { minLength: 1, ...is.addition })),
  description: Type.Optional(is.typed(10_000, is.addition)),
  class: Type.Optional(Type.Literal('appointment', is.addition)),
  color: Type.Optional(
    Type.Union([is.typed(100, { format: 'color' }), Type.Null()], { description: 'Any CSS colour', ...is.addition }),
  ),
})

const providerRestrictions = Type.Object({
  id: is.providerRef,
  allowedServices: Type.Optional(Type.Array(is.id, { description: 'Service ids the provider may handle' })),
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
 * Every row of the public API: those of the specification in its order, then additions. Routes, validation, types,
 * client and OpenAPI document are derived from it.
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
      min_timestamp: is.int64,
      max_timestamp: is.int64,
      services: ids('service'),
      providers: is.providerIds,
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
    query: Type.Object({ full: is.flag('Include data'), ...paging }),
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
      full: is.flag('Include stored data properties'),
      past: is.flag('Include past reservations'),
      customers: ids('customer'),
      services: ids('service'),
      providers: is.providerIds,
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
      createUser: is.flag('Create a linked host-platform user when hostUserId is not supplied'),
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
    query: Type.Object({ serviceId: is.id, providerId: is.providerRef }),
    body: providerService,
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'GET /availability/explain/': {
    summary: 'Say rule by rule whether one slot can be booked, and why not',
    scope: 'read',
    query: Type.Object({ serviceId: is.id, providerId: is.providerRef, start: is.calendarInstant }),
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
      limit: Type.Optional(is.whole(1, 500, { description: '100 when absent' })),
    }),
    body: null,
    envelope: 'response',
    returns: Type.Array(is.loggedEvent),
    ok: 200,
    addition: true,
  },
} as const satisfies PublicContract

export type PublicApi = typeof publicApi
