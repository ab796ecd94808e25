import type { TokenScope, TokenState } from '../../../access/tokens/token.ts'
import type { PanelContract } from '../../endpoint.ts'
import { calendarInstant, name, oneOf, orNull, whole } from '../../fields.ts'
import { Type } from '../../schema.ts'
import { admins, none, nothing, paging } from '../row.ts'

const scope = oneOf<TokenScope>({ read: true, write: true }, { description: 'write includes read' })
const rateLimit = orNull(whole(1, 1_000_000, { description: 'Requests per minute; null for no limit' }))

const token = Type.Object({
  id: Type.String(),
  name: Type.String(),
  scope,
  state: oneOf<TokenState>({ active: true, expired: true, revoked: true }),
  rateLimit,
  createdAt: calendarInstant,
  expiresAt: orNull(calendarInstant),
  revokedAt: orNull(calendarInstant),
  lastUsedAt: orNull(calendarInstant),
  lastUsedAddress: orNull(Type.String()),
})

/** The routes that list, create and revoke API tokens. */
export const tokenRoutes = {
  'GET /tokens/': {
    summary: 'List API tokens, the newest first; secrets are not stored',
    admits: admins,
    query: Type.Object({ ...paging }),
    body: null,
    envelope: 'list',
    returns: token,
    ok: 200,
  },
  'POST /tokens/add/': {
    summary: 'Create an API token; its secret is returned only once',
    admits: admins,
    fresh: true,
    query: none,
    body: Type.Object({
      name,
      scope,
      expiresAt: Type.Optional(orNull(calendarInstant)),
      rateLimit: Type.Optional(rateLimit),
    }),
    envelope: 'response',
    returns: Type.Object({ id: Type.String(), secret: Type.String({ description: 'Returned only once' }) }),
    ok: 200,
    once: true,
  },
  'POST /tokens/revoke/': {
    summary: 'Revoke an API token permanently',
    admits: admins,
    query: none,
    body: Type.Object({ id: Type.String() }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
} as const satisfies PanelContract
