import { Type } from 'typebox'
import type { ServiceSettings } from '../../catalogue/services/service.ts'
import type { PanelContract } from '../endpoint.ts'
import {
  color,
  description,
  formEntries,
  instant,
  localDate,
  name,
  oneOf,
  orNull,
  routingMode,
  serviceSettings,
  shownForm,
  typed,
} from '../resources.ts'
import { choice } from './reservations.ts'
import { everyone, leading, none, nothing, paging } from './row.ts'

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
  currency: Type.String({ description: 'Its own, else the site’s' }),
  providers: Type.Integer({ description: 'How many handle it' }),
})

const named = Type.Object({ id: Type.Integer(), name: Type.String() })

const shown = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  color: Type.Union([Type.String(), Type.Null()]),
  settings: Type.Unsafe<ServiceSettings>({ type: 'object', description: 'Every setting, as the site file names them' }),
  form: shownForm,
  siteCurrency: Type.String(),
  providers: Type.Array(
    Type.Object({
      ...named.properties,
      differs: Type.Array(Type.String(), { description: 'The settings that this provider has of its own' }),
    }),
    { description: 'Who handles it' },
  ),
})

const preview = Type.Object({
  date: Type.String({ description: 'In the zone of the site; tomorrow when none was asked for' }),
  zone: Type.String(),
  providers: Type.Array(named, { description: 'Those that slots are listed under' }),
  slots: Type.Array(
    Type.Object({
      start: instant,
      end: instant,
      providerId: Type.Integer(),
      bookable: Type.Boolean(),
      eligible: Type.Integer({ description: 'How many providers are free for it' }),
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
      description: 'Whom the rule would pick if all were free; null where that depends on the slot',
    }),
  ),
  providers: Type.Array(
    Type.Object({
      ...named.properties,
      weight: Type.Integer(),
      priority: Type.Integer(),
      share: figure,
      got: Type.Integer({ description: 'Pending and confirmed ones that begin in the period' }),
      expected: figure,
      assigned: Type.Integer({ description: 'Since the beginning, as the routing counts' }),
      due: figure,
      lastAt: orNull(instant),
    }),
    { description: 'Those who handle it' },
  ),
  others: Type.Array(Type.Object({ ...named.properties, got: Type.Integer() }), {
    description: 'Those who no longer do, and had some in the period',
  }),
  last: Type.Array(Type.Object({ id: Type.String(), start: instant, provider: named, choice: orNull(choice) }), {
    description: 'The last that begin in the period, at most 20, with why they went where they did',
  }),
})

/** The routes of services with all settings, for administrators and managers. */
export const serviceRoutes = {
  'GET /services/': {
    summary: 'List services in the order that people gave them',
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
    summary: 'Show a service with every setting, and who handles it',
    admits: leading,
    query: Type.Object({ id: knownId }),
    body: null,
    envelope: 'response',
    returns: shown,
    ok: 200,
  },
  'GET /services/fairness/': {
    summary: 'Show who was given what of a service in a period of at most 92 days, and what the shares would have been',
    admits: leading,
    query: Type.Object({ id: knownId, from: localDate, to: localDate }),
    body: null,
    envelope: 'response',
    returns: fairness,
    ok: 200,
  },
  'GET /services/form/': {
    summary: 'Show what is asked when a service is booked',
    admits: everyone,
    query: Type.Object({ id: knownId }),
    body: null,
    envelope: 'response',
    returns: Type.Object({ fields: shownForm }),
    ok: 200,
  },
  'POST /services/add/': {
    summary: 'Add a service; what is not said is as a new service has it',
    admits: leading,
    query: none,
    body: Type.Object({ name, ...own, ...serviceSettings.properties }),
    envelope: 'response',
    returns: Type.Object({ id: Type.String() }),
    ok: 200,
  },
  'POST /services/edit/': {
    summary: 'Change a service; what is absent stays, limits are replaced as a whole',
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
    summary: 'Compute the slots of a day with settings that are not kept; without an id those of a new service',
    admits: leading,
    query: none,
    body: Type.Object({ id: Type.Optional(knownId), date: Type.Optional(localDate), ...serviceSettings.properties }),
    envelope: 'response',
    returns: preview,
    ok: 200,
  },
} as const satisfies PanelContract
