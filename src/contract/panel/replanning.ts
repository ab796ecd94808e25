import type { PanelContract } from '../endpoint.ts'
import { calendarInstant, oneOf, whole } from '../fields.ts'
import { Type } from '../schema.ts'
import { notifyChoice } from './reservations.ts'
import { changed, desk, none } from './row.ts'

const stretch = { start: calendarInstant, end: calendarInstant }
const named = Type.Object({ id: Type.String(), name: Type.String() })
const contact = Type.Object({
  ...named.properties,
  phone: Type.String(),
  hasEmail: Type.Boolean({ description: 'Whether messages can reach the customer by e-mail' }),
})
const place = Type.Object({ providerId: whole(0), start: calendarInstant })

/**
 * The routes that list the reservations affected by the absence of a provider, and move them to other times or
 * providers.
 */
export const replanningRoutes = {
  'GET /replanning/': {
    summary: 'List the upcoming reservations that an absence of at most 31 days affects, with free times for each',
    admits: desk,
    query: Type.Object({ providerId: whole(0), from: calendarInstant, until: calendarInstant }),
    body: null,
    envelope: 'response',
    returns: Type.Object({
      timeOff: Type.Array(Type.Object({ id: Type.String(), ...stretch }), {
        description: 'Time off of the provider that overlaps the absence',
      }),
      more: Type.Boolean({
        description: 'Whether later reservations are left out, since there are more than a hundred',
      }),
      items: Type.Array(
        Type.Object({
          id: Type.String(),
          status: oneOf<'pending' | 'confirmed'>({ pending: true, confirmed: true }),
          ...stretch,
          customer: contact,
          service: named,
          provider: Type.Object({ id: Type.Integer(), name: Type.String() }),
          suggestions: Type.Array(Type.Object({ providerId: Type.Integer(), provider: Type.String(), ...stretch }), {
            description: 'The same time with colleagues first, then the nearest other times',
          }),
        }),
      ),
    }),
    ok: 200,
  },
  'POST /replanning/move/': {
    summary: 'Move a reservation to a suggested time; all rules but the minimum notice are checked again',
    admits: desk,
    query: none,
    body: Type.Object({
      id: Type.String({ maxLength: 100 }),
      from: Type.Object(place.properties, {
        description: 'Where the user saw it; refused when it is elsewhere by now',
      }),
      to: place,
      notify: notifyChoice,
    }),
    envelope: 'response',
    returns: changed,
    ok: 200,
  },
} as const satisfies PanelContract
