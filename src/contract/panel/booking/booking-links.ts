import type { LinkState } from '../../../booking-page/links/booking-link.ts'
import type { PanelContract } from '../../endpoint.ts'
import { calendarInstant, oneOf, orNull, whole } from '../../fields.ts'
import { Type } from '../../schema.ts'
import { leading, none, nothing } from '../row.ts'

const id = Type.String({ maxLength: 100 })

/** The routes that list, create and revoke private links to services on the booking page. */
export const bookingLinkRoutes = {
  'GET /booking-page/links/': {
    summary: 'List the private links of a service, the newest first, at most 200',
    admits: leading,
    query: Type.Object({ serviceId: id }),
    body: null,
    envelope: 'response',
    returns: Type.Object({
      links: Type.Array(
        Type.Object({
          id: Type.String(),
          singleUse: Type.Boolean(),
          expiresAt: orNull(calendarInstant),
          createdAt: calendarInstant,
          reservationId: orNull(Type.String({ description: 'The reservation that a one-time link was used for' })),
          state: oneOf<LinkState>({ open: true, used: true, expired: true, revoked: true }),
        }),
      ),
    }),
    ok: 200,
  },
  'POST /booking-page/links/add/': {
    summary: 'Make a private link to a service; its address is shown once',
    admits: leading,
    query: none,
    body: Type.Object({
      serviceId: id,
      singleUse: Type.Boolean({ description: 'Whether the link books once' }),
      days: orNull(whole(1, 365, { description: 'Days for which the link is valid; null without an end' })),
    }),
    envelope: 'response',
    returns: Type.Object({ id: Type.String(), url: Type.String() }),
    ok: 200,
    once: true,
  },
  'POST /booking-page/links/revoke/': {
    summary: 'Revoke a private link',
    admits: leading,
    query: none,
    body: Type.Object({ id }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
} as const satisfies PanelContract
