import { Type } from 'typebox'
import type { LiveKind } from '../../history/live/live-change.ts'
import type { PanelContract } from '../endpoint.ts'
import { localDate, oneOf } from '../resources.ts'
import { everyone, none } from './row.ts'

/** The stream of changes made by others. */
export const liveRoutes = {
  'GET /live/': {
    summary: 'Hear within two seconds what was changed; a provider hears of the own calendar alone',
    admits: everyone,
    query: none,
    body: null,
    envelope: 'live',
    returns: Type.Object({
      kinds: Type.Array(
        oneOf<LiveKind>({
          reservation: true,
          customer: true,
          service: true,
          provider: true,
          time_off: true,
          site: true,
          notification_settings: true,
          notification_template: true,
        }),
      ),
      providerIds: Type.Array(Type.Integer(), { description: 'Whose calendars changed; empty where none did' }),
      days: Type.Array(localDate, {
        description: 'Days in UTC that changed reservations and times off touch, as they were and are',
      }),
    }),
    ok: 200,
  },
} as const satisfies PanelContract
