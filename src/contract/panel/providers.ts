import type { TProperties } from 'typebox'
import type { ProviderServiceSettings, ServiceSettings } from '../../catalogue/services/service.ts'
import type { PanelContract } from '../endpoint.ts'
import {
  calendarInstant,
  email,
  instant,
  localDate,
  meetingLink,
  name,
  oneOf,
  orNull,
  typed,
  whole,
  windows,
} from '../fields.ts'
import { providerServiceSettings, slotOverrides, weekly } from '../resources.ts'
import { Type } from '../schema.ts'
import { leading, leadingAndProviders, none, nothing, paging, staff } from './row.ts'

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
  restrictServices: Type.Optional(
    Type.Boolean({ description: 'Whether the provider gives the allowed services only; false for every service' }),
  ),
  allowedServices: Type.Optional(Type.Array(serviceId, { maxItems: 10_000 })),
}
/** The lists from which a user made a change, so that it does not take back what another user has changed since. */
const seen = <Lists extends TProperties>(lists: Lists) =>
  Type.Optional(
    Type.Object(lists, {
      description: 'What the change was made from; refused with `changed_since` if it has changed',
    }),
  )
const away = Type.Object(
  { start: calendarInstant, end: calendarInstant },
  { description: 'Time off that is not saved yet' },
)
const doubleBooking = Type.Optional(
  Type.Boolean({ description: 'Whether staff may deliberately book this provider’s time twice, with a reason' }),
)
const own = {
  doubleBooking,
  meetingLink: Type.Optional(meetingLink),
  email: Type.Optional(orNull(email)),
  timezone: Type.Optional(zone),
  ...hours,
  ...restrictions,
}

const listed = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  email: Type.String(),
  timezone: Type.String(),
  weekMinutes: Type.Integer({ description: 'Minutes of opening hours in a regular week' }),
  services: Type.Integer({ description: 'Number of services that the provider gives' }),
  ofServices: Type.Integer({ description: 'Number of all services' }),
})

const shown = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  email: Type.String(),
  timezone: Type.String(),
  weekly,
  overrides: Type.Array(override),
  holidays: Type.Array(Type.Object({ from: localDate, to: localDate, name: Type.Optional(Type.String()) }), {
    description: 'Holidays of the site; an override with hours takes precedence',
  }),
  booking: orNull(
    Type.Object(
      {
        restrictServices: Type.Boolean(),
        allowedServices: Type.Array(Type.String()),
        doubleBooking: Type.Boolean({ description: 'Whether staff may book the time twice, with a reason' }),
        meetingLink: Type.String(),
        services: Type.Array(
          Type.Object({
            id: Type.String(),
            name: Type.String(),
            settings: Type.Unsafe<ServiceSettings>({ type: 'object', description: 'Of the service' }),
            currency: Type.String(),
            own: Type.Unsafe<ProviderServiceSettings>({
              type: 'object',
              description: 'Settings in which this provider differs',
            }),
          }),
        ),
      },
      { description: 'Settings for administrators and managers; null for the role provider' },
    ),
  ),
})

const check = Type.Object({
  zone: Type.String(),
  total: Type.Integer({ description: 'Number of displaced reservations' }),
  more: Type.Boolean({ description: 'Whether there are more upcoming reservations than were examined' }),
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
    { description: 'The first hundred displaced reservations, by start' },
  ),
})

/**
 * The routes that list, show, add, change, check and remove providers; a user with the role `provider` sees only
 * their own contact data and hours, and changes only the hours.
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
    summary: 'Return a provider with all settings',
    admits: leadingAndProviders,
    query: Type.Object({ id: whole(0) }),
    body: null,
    envelope: 'response',
    returns: shown,
    ok: 200,
  },
  'POST /providers/add/': {
    summary: 'Add a provider; absent settings have their defaults',
    admits: leading,
    query: none,
    body: Type.Object({ name, ...own }),
    envelope: 'response',
    returns: Type.Object({ id: Type.Integer() }),
    ok: 200,
  },
  'POST /providers/edit/': {
    summary: 'Change a provider; absent fields are unchanged, lists are replaced as a whole',
    admits: leading,
    query: none,
    body: Type.Object({
      id,
      name: Type.Optional(name),
      ...own,
      was: seen({ allowedServices: restrictions.allowedServices }),
    }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /providers/hours/': {
    summary: 'Change weekly hours and overrides; the role provider their own only',
    admits: leadingAndProviders,
    query: none,
    body: Type.Object({ id, ...hours, was: seen(hours) }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /providers/service/': {
    summary: 'Change a provider’s settings for a service; absent ones are unchanged, null resets to the service’s',
    admits: leading,
    query: none,
    body: Type.Object({ id, serviceId, ...providerServiceSettings.properties }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /providers/offer/': {
    summary: 'Make a provider offer a service, or no longer; other settings for the service stay',
    admits: leading,
    query: none,
    body: Type.Object({ id, serviceId, offers: Type.Boolean() }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /providers/check/': {
    summary: 'List the upcoming reservations that a change would displace; stores nothing',
    admits: staff,
    query: none,
    body: Type.Object({
      id,
      timezone: Type.Optional(zone),
      ...hours,
      ...restrictions,
      away: Type.Optional(away),
      without: Type.Optional(
        Type.String({ maxLength: 100, description: 'Service that the provider would no longer give' }),
      ),
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
