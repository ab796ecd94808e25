import { Type } from 'typebox'
import type { ProviderServiceSettings, ServiceSettings } from '../../catalogue/services/service.ts'
import type { PanelContract } from '../endpoint.ts'
import {
  calendarInstant,
  email,
  instant,
  localDate,
  name,
  oneOf,
  orNull,
  providerServiceSettings,
  slotOverrides,
  typed,
  weekly,
  whole,
  windows,
} from '../resources.ts'
import { everyone, leading, none, nothing, paging } from './row.ts'

const id = whole(1)
const zone = Type.String({ maxLength: 100, format: 'timezone', description: 'IANA time zone' })
const serviceId = Type.String({ maxLength: 100 })

const override = Type.Object({
  from: localDate,
  to: localDate,
  hours: Type.Optional(windows),
  slot: Type.Optional(slotOverrides),
})
const hours = {
  weekly: Type.Optional(weekly),
  overrides: Type.Optional(Type.Array(override, { maxItems: 10_000 })),
}
const restrictions = {
  restrictServices: Type.Optional(Type.Boolean({ description: 'false takes every service' })),
  allowedServices: Type.Optional(Type.Array(serviceId, { maxItems: 10_000 })),
}
const away = Type.Object(
  { start: calendarInstant, end: calendarInstant },
  { description: 'A time off that is not there yet' },
)
const own = { email: Type.Optional(orNull(email)), timezone: Type.Optional(zone), ...hours, ...restrictions }

const listed = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  email: Type.String(),
  timezone: Type.String(),
  weekMinutes: Type.Integer({ description: 'Opening hours of a usual week' }),
  services: Type.Integer({ description: 'How many services it handles' }),
  ofServices: Type.Integer({ description: 'How many services there are' }),
})

const shown = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  email: Type.String(),
  timezone: Type.String(),
  weekly,
  overrides: Type.Array(override),
  holidays: Type.Array(Type.Object({ from: localDate, to: localDate, name: Type.Optional(Type.String()) }), {
    description: 'Of the site; an override with hours beats them',
  }),
  booking: orNull(
    Type.Object(
      {
        restrictServices: Type.Boolean(),
        allowedServices: Type.Array(Type.String()),
        services: Type.Array(
          Type.Object({
            id: Type.String(),
            name: Type.String(),
            settings: Type.Unsafe<ServiceSettings>({ type: 'object', description: 'Of the service' }),
            currency: Type.String(),
            own: Type.Unsafe<ProviderServiceSettings>({
              type: 'object',
              description: 'What this provider has instead',
            }),
          }),
        ),
      },
      { description: 'What those who run the site set; null for the provider' },
    ),
  ),
})

const check = Type.Object({
  zone: Type.String(),
  total: Type.Integer({ description: 'How many would be left' }),
  more: Type.Boolean({ description: 'There are more coming reservations than were looked at' }),
  items: Type.Array(
    Type.Object({
      id: Type.String(),
      status: oneOf<'pending' | 'confirmed'>({ pending: true, confirmed: true }),
      start: instant,
      end: instant,
      because: oneOf<'hours' | 'service' | 'away'>({ hours: true, service: true, away: true }),
      service: Type.String(),
      customer: Type.String(),
    }),
    { description: 'The first hundred of them, by start' },
  ),
})

/**
 * Providers with hours, overrides, restrictions and settings; the role provider sees and changes their own hours only.
 */
export const providerRoutes = {
  'GET /providers/': {
    summary: 'List providers',
    admits: leading,
    query: Type.Object({
      search: Type.Optional(typed(200)),
      sort: Type.Optional(oneOf<'name' | '-name'>({ name: true, '-name': true })),
      ...paging,
    }),
    body: null,
    envelope: 'list',
    returns: listed,
    ok: 200,
  },
  'GET /providers/one/': {
    summary: 'Show a provider with everything that is set for it',
    admits: everyone,
    query: Type.Object({ id: whole(0) }),
    body: null,
    envelope: 'response',
    returns: shown,
    ok: 200,
  },
  'POST /providers/add/': {
    summary: 'Add a provider; what is not said is as a new provider has it',
    admits: leading,
    query: none,
    body: Type.Object({ name, ...own }),
    envelope: 'response',
    returns: Type.Object({ id: Type.Integer() }),
    ok: 200,
  },
  'POST /providers/edit/': {
    summary: 'Change a provider; what is absent stays, lists are replaced as a whole',
    admits: leading,
    query: none,
    body: Type.Object({ id, name: Type.Optional(name), ...own }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /providers/hours/': {
    summary: 'Change weekly hours and overrides; a provider the own ones',
    admits: everyone,
    query: none,
    body: Type.Object({ id, ...hours }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /providers/service/': {
    summary: 'Change what a provider does differently for a service; what is absent stays, null follows the service',
    admits: leading,
    query: none,
    body: Type.Object({ id, serviceId, ...providerServiceSettings.properties }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /providers/check/': {
    summary: 'List the coming reservations that a change would leave without its hours or its service; keeps nothing',
    admits: everyone,
    query: none,
    body: Type.Object({
      id,
      timezone: Type.Optional(zone),
      ...hours,
      ...restrictions,
      away: Type.Optional(away),
      without: Type.Optional(Type.String({ maxLength: 100, description: 'A service it would no longer take part in' })),
    }),
    envelope: 'response',
    returns: check,
    ok: 200,
  },
  'POST /providers/remove/': {
    summary: 'Remove a provider without pending or confirmed reservations',
    admits: leading,
    query: none,
    body: Type.Object({ id }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
} as const satisfies PanelContract
