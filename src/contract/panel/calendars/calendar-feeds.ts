import type { PanelContract } from '../../endpoint.ts'
import { calendarInstant, orNull, whole } from '../../fields.ts'
import { Type } from '../../schema.ts'
import { leadingAndProviders, none, nothing } from '../row.ts'

const id = Type.String({ maxLength: 100 })
const serviceId = Type.String({ maxLength: 100 })
const names = Type.Boolean({ description: 'Whether the events name the customers' })

/**
 * The routes that list, add and revoke calendar feeds; a user with the role `provider` has access to feeds of their own
 * reservations only.
 */
export const calendarFeedRoutes = {
  'GET /calendar-feeds/': {
    summary: 'List the calendar feeds of a provider, or those of services and of the site; addresses are not shown',
    admits: leadingAndProviders,
    query: Type.Object({ providerId: Type.Optional(whole(0)) }),
    body: null,
    envelope: 'response',
    returns: Type.Object({
      items: Type.Array(
        Type.Object({
          id: Type.String(),
          serviceId: orNull(Type.String()),
          names,
          createdAt: calendarInstant,
          readAt: orNull(Type.Integer({ description: 'The day on which the feed was last read, in UTC' })),
        }),
      ),
    }),
    ok: 200,
  },
  'POST /calendar-feeds/add/': {
    summary: 'Make a secret address under which calendar programs subscribe to reservations; it is returned only once',
    admits: leadingAndProviders,
    fresh: true,
    query: none,
    body: Type.Object({
      providerId: Type.Optional(whole(0)),
      serviceId: Type.Optional(serviceId),
      names,
    }),
    envelope: 'response',
    returns: Type.Object({ id: Type.String(), url: Type.String({ description: 'Contains the secret' }) }),
    ok: 200,
    once: true,
  },
  'POST /calendar-feeds/revoke/': {
    summary: 'Revoke a calendar feed; its address no longer exists',
    admits: leadingAndProviders,
    query: none,
    body: Type.Object({ id }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
} as const satisfies PanelContract
