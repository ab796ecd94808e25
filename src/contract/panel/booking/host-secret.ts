import type { PanelContract } from '../../endpoint.ts'
import { calendarInstant, orNull } from '../../fields.ts'
import { Type } from '../../schema.ts'
import { admins, leading, none, nothing } from '../row.ts'

/**
 * The routes that create and remove the secret with which the host site (the owner's website) signs tokens for its
 * users, and show when it was made.
 */
export const hostSecretRoutes = {
  'GET /booking-page/host-secret/': {
    summary: 'Show when the secret of the host site was made',
    admits: leading,
    query: none,
    body: null,
    envelope: 'response',
    returns: Type.Object({ createdAt: orNull(calendarInstant) }),
    ok: 200,
  },
  'POST /booking-page/host-secret/set/': {
    summary: 'Make a new secret of the host site, which is shown once; tokens signed by an earlier one are void',
    admits: admins,
    fresh: true,
    query: none,
    body: Type.Object({}),
    envelope: 'response',
    returns: Type.Object({ secret: Type.String() }),
    ok: 200,
    once: true,
  },
  'POST /booking-page/host-secret/remove/': {
    summary: 'Remove the secret of the host site: no token is accepted any more',
    admits: admins,
    query: none,
    body: Type.Object({}),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
} as const satisfies PanelContract
