import type { CalendarKind, CalendarState } from '../../../calendars/calendar.ts'
import type { PanelContract } from '../../endpoint.ts'
import { calendarInstant, name, oneOf, orNull, typed, whole } from '../../fields.ts'
import { Type } from '../../schema.ts'
import { leadingAndProviders, message, none, nothing } from '../row.ts'

const id = Type.String({ maxLength: 100 })
const url = typed(2_000, {
  minLength: 1,
  description: 'Address of the calendar; https or webcal. It is not shown again',
})
const blocking = Type.Object(
  {
    free: Type.Boolean({ description: 'Events that are marked as free' }),
    tentative: Type.Boolean(),
    outOfOffice: Type.Boolean(),
  },
  { description: 'Which events block time besides those that are simply busy' },
)

const shown = Type.Object({
  id: Type.String(),
  kind: oneOf<CalendarKind>({ ics: true, caldav: true }),
  name: Type.String(),
  host: Type.String({ description: 'The host of the address' }),
  blocking,
  state: oneOf<CalendarState>(
    { ok: true, failing: true, too_old: true, new: true },
    { description: 'too_old: read too long ago, so that the provider is not offered' },
  ),
  fault: orNull(message('Why the calendar could not be read last time')),
  readAt: orNull(calendarInstant),
  triedAt: orNull(calendarInstant),
  nextAt: calendarInstant,
  coveredUntil: orNull(Type.Integer({ description: 'Until when the events are known; later times are not offered' })),
  count: Type.Integer({ description: 'Number of busy times' }),
})

/** The routes of connected calendars; the role provider has access to their own only. */
export const connectedCalendarRoutes = {
  'GET /calendars/': {
    summary: 'List the connected calendars of a provider; addresses are not shown',
    admits: leadingAndProviders,
    query: Type.Object({ providerId: whole(0) }),
    body: null,
    envelope: 'response',
    returns: Type.Object({
      items: Type.Array(shown),
      pollMinutes: Type.Integer(),
      maxAgeMinutes: Type.Integer(),
    }),
    ok: 200,
  },
  'POST /calendars/connect/': {
    summary: 'Connect a calendar by its address; its events block the provider as soon as it has been read',
    admits: leadingAndProviders,
    query: none,
    body: Type.Object({ providerId: whole(0), name, url, blocking: Type.Optional(blocking) }),
    envelope: 'id',
    returns: Type.Object({ id: Type.String() }),
    ok: 200,
  },
  'POST /calendars/edit/': {
    summary: 'Change the name, the address or the blocking events of a calendar; absent fields are unchanged',
    admits: leadingAndProviders,
    query: none,
    body: Type.Object({
      id,
      name: Type.Optional(name),
      url: Type.Optional(url),
      blocking: Type.Optional(blocking),
    }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /calendars/sync/': {
    summary: 'Read a calendar now',
    admits: leadingAndProviders,
    query: none,
    body: Type.Object({ id }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /calendars/remove/': {
    summary: 'Disconnect a calendar; its events no longer block the provider',
    admits: leadingAndProviders,
    query: none,
    body: Type.Object({ id }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
} as const satisfies PanelContract
