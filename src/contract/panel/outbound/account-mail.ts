import type { PanelContract } from '../../endpoint.ts'
import { Type } from '../../schema.ts'
import { admins, none, nothing } from '../row.ts'

/**
 * The routes that send users of the panel a link to set a password, and that tell whether this is possible by e-mail.
 */
export const accountMailRoutes = {
  'GET /password/forgotten/': {
    summary: 'Return whether a password can be reset by e-mail',
    admits: 'anyone',
    query: none,
    body: null,
    envelope: 'response',
    returns: Type.Object({ available: Type.Boolean() }),
    ok: 200,
  },
  'POST /password/forgotten/': {
    summary: 'Send a password link to the address if a user has it; the response is the same if none has',
    admits: 'anyone',
    query: none,
    body: Type.Object({ email: Type.String({ minLength: 1, maxLength: 254 }) }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /users/send-link/': {
    summary: 'Send a user a link to set a password; earlier links of the user become invalid',
    admits: admins,
    fresh: true,
    query: none,
    body: Type.Object({ id: Type.String({ maxLength: 100 }) }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
} as const satisfies PanelContract
