import type { PanelContract } from '../endpoint.ts'
import { instant, localDate, whole } from '../fields.ts'
import { verdictFields } from '../resources.ts'
import { Type } from '../schema.ts'
import { message, none, staff } from './row.ts'

const { sentence: _, ...fields } = verdictFields
const verdict = Type.Object({ ...fields, message: message('What the rule says') })

/**
 * The routes that explain why a time can or cannot be booked; a user with the role `provider` may ask about their own
 * calendar only.
 */
export const explainRoutes = {
  'GET /why/': {
    summary: 'Show the grid of a service with a provider on a local day, each start with the verdict of every rule',
    admits: staff,
    query: Type.Object({
      serviceId: Type.String({ maxLength: 100 }),
      providerId: whole(0),
      date: Type.Optional(localDate),
    }),
    body: null,
    envelope: 'response',
    returns: Type.Object({
      date: Type.String({ description: 'Date in the zone of the provider; today when the request names none' }),
      zone: Type.String(),
      hours: Type.Object({
        setting: Type.String({ description: 'Setting that determines the hours of the date' }),
        windows: Type.Array(Type.Object({ start: instant, end: instant })),
      }),
      starts: Type.Array(
        Type.Object({ start: instant, end: instant, bookable: Type.Boolean(), rules: Type.Array(verdict) }),
      ),
    }),
    ok: 200,
  },
  'GET /why/choices/': {
    summary: 'List the services and providers whose times can be explained',
    admits: staff,
    query: none,
    body: null,
    envelope: 'response',
    returns: Type.Object({
      services: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), active: Type.Boolean() })),
      providers: Type.Array(
        Type.Object({
          id: Type.Integer(),
          name: Type.String(),
          serviceIds: Type.Array(Type.String(), { description: 'Services that this provider gives' }),
        }),
      ),
    }),
    ok: 200,
  },
} as const satisfies PanelContract
