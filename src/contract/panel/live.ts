import type { LiveKind } from '../../history/live/live-change.ts'
import type { PanelContract } from '../endpoint.ts'
import { localDate, oneOf } from '../fields.ts'
import { Type } from '../schema.ts'
import { everyone, none } from './row.ts'

/** The route that notifies the panel of committed changes, and of holds (temporary reservations) that expire. */
export const liveRoutes = {
  'GET /live/': {
    summary: 'Stream changes within two seconds; the role provider receives those of their own calendar only',
    admits: everyone,
    query: none,
    body: null,
    envelope: 'live',
    returns: Type.Object({
      kinds: Type.Array(
        oneOf<LiveKind>({
          reservation: true,
          hold: true,
          customer: true,
          service: true,
          provider: true,
          time_off: true,
          calendar: true,
          site: true,
          booking_page: true,
          notification_settings: true,
          notification_template: true,
        }),
      ),
      providerIds: Type.Array(Type.Integer(), {
        description: 'Providers whose calendars changed; empty when none did',
      }),
      days: Type.Array(localDate, {
        description: 'UTC days that changed reservations and times off touch, before and after the change',
      }),
    }),
    ok: 200,
  },
} as const satisfies PanelContract
