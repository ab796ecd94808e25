import type { GrantKind } from '../../../calendars/oauth/oauth.ts'
import type { PanelContract } from '../../endpoint.ts'
import { oneOf, typed, whole } from '../../fields.ts'
import { Type } from '../../schema.ts'
import { admins, leadingAndProviders, none, nothing } from '../row.ts'

const kind = oneOf<GrantKind>({ google: true, microsoft: true })

/**
 * The routes that list calendar systems, set the site's OAuth credentials for them, and let users sign in there; a user
 * with the role `provider` can connect their own account only.
 */
export const calendarGrantRoutes = {
  'GET /calendar-apps/': {
    summary: 'List the calendar systems at which users can sign in, and whether this site is registered there',
    admits: leadingAndProviders,
    query: none,
    body: null,
    envelope: 'response',
    returns: Type.Array(
      Type.Object({
        kind,
        isSet: Type.Boolean(),
        clientId: Type.String({ description: 'Empty for other roles than administrators' }),
        redirectUri: Type.String({ description: 'The address to enter when registering this site' }),
      }),
    ),
    ok: 200,
  },
  'POST /calendar-apps/set/': {
    summary: 'Store the credentials of this site for a calendar system; an empty client id removes them',
    admits: admins,
    fresh: true,
    query: none,
    body: Type.Object({
      kind,
      clientId: typed(300),
      clientSecret: Type.Optional(
        typed(300, { minLength: 1, description: 'Unchanged when absent; stored encrypted and not shown again' }),
      ),
    }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /calendar-accounts/authorize/': {
    summary: 'Begin a sign-in at a calendar system, for a new account or one whose access has ended',
    admits: leadingAndProviders,
    query: none,
    body: Type.Object({
      kind,
      providerId: whole(0),
      accountId: Type.Optional(Type.String({ maxLength: 100 })),
    }),
    envelope: 'response',
    returns: Type.Object({ url: Type.String({ description: 'Where the user grants access' }) }),
    ok: 200,
    once: true,
  },
  'POST /calendar-accounts/authorized/': {
    summary: 'End a sign-in with what the calendar system gave the user to bring back',
    admits: leadingAndProviders,
    query: none,
    body: Type.Object({
      state: Type.String({ minLength: 1, maxLength: 200 }),
      code: Type.String({ minLength: 1, maxLength: 2_000 }),
    }),
    envelope: 'response',
    returns: Type.Object({ providerId: Type.Integer() }),
    ok: 200,
  },
} as const satisfies PanelContract
