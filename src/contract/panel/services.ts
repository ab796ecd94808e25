import type { ServiceSettings } from '../../catalogue/services/service.ts'
import type { PanelContract } from '../endpoint.ts'
import { color, description, instant, localDate, name, oneOf, orNull, typed } from '../fields.ts'
import { formEntries, routingMode, serviceSettings, shownForm } from '../resources.ts'
import { Type } from '../schema.ts'
import { choice } from './reservations.ts'
import { leading, none, nothing, paging, staff } from './row.ts'

const own = {
  description: Type.Optional(description),
  color: Type.Optional(color),
  form: Type.Optional(formEntries),
}
const knownId = Type.String({ maxLength: 100 })

const listed = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  color: Type.Union([Type.String(), Type.Null()]),
  active: Type.Boolean(),
  durationMinutes: Type.Integer(),
  capacity: Type.Integer(),
  routingMode,
  price: Type.Union([Type.Integer({ description: 'In the smallest unit of the currency' }), Type.Null()]),
  currency: Type.String({ description: 'Currency of the service, else of the site' }),
  providers: Type.Integer({ description: 'Number of providers who give the service' }),
})

const named = Type.Object({ id: Type.Integer(), name: Type.String() })

const shown = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  color: Type.Union([Type.String(), Type.Null()]),
  settings: Type.Unsafe<ServiceSettings>({
    type: 'object',
    description: 'Every setting, with the names of the site file',
  }),
  form: shownForm,
  siteCurrency: Type.String(),
  providers: Type.Array(
    Type.Object({
      ...named.properties,
      differs: Type.Array(Type.String(), { description: 'Settings in which this provider differs' }),
    }),
    { description: 'Providers who give the service' },
  ),
  others: Type.Array(named, { description: 'Providers who do not give the service' }),
})

const preview = Type.Object({
  date: Type.String({ description: 'Date in the zone of the site; tomorrow when the request names none' }),
  zone: Type.String(),
  providers: Type.Array(named, { description: 'Providers that slots are listed under' }),
  slots: Type.Array(
    Type.Object({
      start: instant,
      end: instant,
      providerId: Type.Integer(),
      bookable: Type.Boolean(),
      eligible: Type.Integer({ description: 'Number of providers who are free for the slot' }),
      reservations: Type.Integer(),
    }),
  ),
})

const figure = orNull(Type.Number())
const fairness = Type.Object({
  service: Type.Object({ id: Type.String(), name: Type.String() }),
  mode: routingMode,
  next: orNull(
    Type.Object(named.properties, {
      description: 'Provider that routing would pick if all were free; null when that depends on the slot',
    }),
  ),
  providers: Type.Array(
    Type.Object({
      ...named.properties,
      weight: Type.Integer(),
      priority: Type.Integer(),
      share: figure,
      got: Type.Integer({ description: 'Pending and confirmed reservations that begin in the period' }),
      expected: figure,
      assigned: Type.Integer({ description: 'Assignments since the beginning, which routing compares' }),
      due: figure,
      lastAt: orNull(instant),
    }),
    { description: 'Providers who give the service' },
  ),
  others: Type.Array(Type.Object({ ...named.properties, got: Type.Integer() }), {
    description: 'Providers who no longer give the service and have reservations in the period',
  }),
  last: Type.Array(Type.Object({ id: Type.String(), start: instant, provider: named, choice: orNull(choice) }), {
    description: 'The last reservations that begin in the period, at most 20, with the reason for each assignment',
  }),
})

/**
 * The routes of services, such as those that list, add, change, order and remove them, and show their booking forms.
 */
export const serviceRoutes = {
  'GET /services/': {
    summary: 'List services in display order',
    admits: leading,
    query: Type.Object({
      search: Type.Optional(typed(200)),
      state: Type.Optional(oneOf<'offered' | 'withdrawn'>({ offered: true, withdrawn: true })),
      ...paging,
    }),
    body: null,
    envelope: 'list',
    returns: listed,
    ok: 200,
  },
  'GET /services/one/': {
    summary: 'Return a service with every setting and its providers',
    admits: leading,
    query: Type.Object({ id: knownId }),
    body: null,
    envelope: 'response',
    returns: shown,
    ok: 200,
  },
  'GET /services/fairness/': {
    summary:
      'Return how a service’s reservations of at most 92 days are distributed among providers, with the expected shares',
    admits: leading,
    query: Type.Object({ id: knownId, from: localDate, to: localDate }),
    body: null,
    envelope: 'response',
    returns: fairness,
    ok: 200,
  },
  'GET /services/form/': {
    summary: 'Return the booking form of a service',
    admits: staff,
    query: Type.Object({ id: knownId }),
    body: null,
    envelope: 'response',
    returns: Type.Object({ fields: shownForm }),
    ok: 200,
  },
  'POST /services/add/': {
    summary: 'Add a service; absent settings have their defaults',
    admits: leading,
    query: none,
    body: Type.Object({ name, ...own, ...serviceSettings.properties }),
    envelope: 'response',
    returns: Type.Object({ id: Type.String() }),
    ok: 200,
  },
  'POST /services/edit/': {
    summary: 'Change a service; absent settings are unchanged, limits are replaced as a whole',
    admits: leading,
    query: none,
    body: Type.Object({ id: knownId, name: Type.Optional(name), ...own, ...serviceSettings.properties }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /services/order/': {
    summary: 'Put a service in front of another',
    admits: leading,
    query: none,
    body: Type.Object({ id: knownId, before: knownId }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /services/remove/': {
    summary: 'Remove a service to which no pending or confirmed reservation refers',
    admits: leading,
    query: none,
    body: Type.Object({ id: knownId }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /services/preview/': {
    summary: 'Compute the slots of a day with settings that are not stored; without an id, of a new service',
    admits: leading,
    query: none,
    body: Type.Object({ id: Type.Optional(knownId), date: Type.Optional(localDate), ...serviceSettings.properties }),
    envelope: 'response',
    returns: preview,
    ok: 200,
  },
} as const satisfies PanelContract
