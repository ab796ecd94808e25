import type { CalendarKind, CalendarState } from '../../../calendars/calendar.ts'
import type { OpeningRule } from '../../../calendars/openings/opening-rule.ts'
import type { OpeningFaultCode } from '../../../calendars/openings/opening-settings.ts'
import type { PushState } from '../../../calendars/push/watch.ts'
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

const opening = Type.Object(
  {
    by: oneOf<OpeningRule['by']>({ title: true, category: true }),
    text: typed(200, {
      minLength: 1,
      description: 'The title, apart from settings such as [price=60], or the category',
    }),
  },
  { description: 'Which events open time instead of blocking it, in addition to the weekly hours' },
)

const shown = Type.Object({
  id: Type.String(),
  kind: oneOf<CalendarKind>({ ics: true, caldav: true, google: true, microsoft: true }),
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
  push: oneOf<PushState>(
    { on: true, refused: true, off: true },
    { description: 'on: the system reports changes, which are then read within seconds' },
  ),
  coveredUntil: orNull(Type.Integer({ description: 'Until when the events are known; later times are not offered' })),
  count: Type.Integer({ description: 'Number of busy times' }),
  opening: orNull(opening),
  openings: Type.Integer({ description: 'Number of events that open time' }),
  openingFaults: Type.Array(
    Type.Object({
      start: calendarInstant,
      code: oneOf<OpeningFaultCode>({ unknown_setting: true, invalid_value: true, all_day: true, too_long: true }),
      part: Type.String({ description: 'The part of the title that is wrong, if it is the reason' }),
    }),
    { description: 'Events that were to open time, and could not' },
  ),
})

/**
 * The routes that list, connect, change, read and remove calendars that block a provider's time; a user with the role
 * `provider` has access to their own only.
 */
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
    body: Type.Object({
      providerId: whole(0),
      name,
      url,
      blocking: Type.Optional(blocking),
      opening: Type.Optional(orNull(opening)),
    }),
    envelope: 'id',
    returns: Type.Object({ id: Type.String() }),
    ok: 200,
  },
  'POST /calendars/edit/': {
    summary: 'Change the name, the address or the meaning of the events of a calendar; absent fields are unchanged',
    admits: leadingAndProviders,
    query: none,
    body: Type.Object({
      id,
      name: Type.Optional(name),
      url: Type.Optional(url),
      blocking: Type.Optional(blocking),
      opening: Type.Optional(orNull(opening)),
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
