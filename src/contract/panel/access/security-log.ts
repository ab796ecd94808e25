import type { SecurityKind } from '../../../access/security-log/security-event.ts'
import { userRoles } from '../../../access/users/user.ts'
import type { Actor } from '../../../history/event.ts'
import type { PanelContract } from '../../endpoint.ts'
import { calendarInstant, oneOf, orNull, whole } from '../../fields.ts'
import { Type } from '../../schema.ts'
import { admins, everyone, leading, none, nothing, paging } from '../row.ts'
import { role } from './session.ts'

const kind = oneOf<SecurityKind>({
  signed_in: true,
  sign_in_failed: true,
  second_factor_missing: true,
  locked: true,
  confirmed: true,
  confirm_failed: true,
  factor_added: true,
  factor_removed: true,
  factors_lifted: true,
  codes_renewed: true,
  password_set: true,
  signed_out: true,
  sessions_ended: true,
  reset_requested: true,
  link_made: true,
  link_used: true,
  denied: true,
  policy_changed: true,
  access_cleared: true,
})

const entry = Type.Object({
  id: Type.String(),
  kind,
  userId: orNull(Type.String({ description: 'Account; null when none has the address that was entered' })),
  userName: Type.String({ description: 'Name of the account; empty when it was removed' }),
  actor: Type.Object({
    kind: oneOf<Actor['kind']>({ token: true, command: true, worker: true, user: true, customer: true }),
    id: Type.String(),
    name: Type.String(),
  }),
  address: Type.String({
    description: 'IP address; empty for a command, and when too many addresses failed at the same time',
  }),
  by: Type.String({ description: 'Method, such as password, totp or passkey; or effect, such as lift_second_factor' }),
  count: Type.Integer({ description: 'Number of occurrences within a quarter of an hour' }),
  at: calendarInstant,
  lastAt: calendarInstant,
})

const policy = Type.Object({
  roles: Type.Array(role, { maxItems: userRoles.length, description: 'Roles that require a second factor' }),
  graceDays: whole(0, 365, {
    description: 'Days that users have to set up a second factor, from when their role requires one',
  }),
})

/** The routes that list the security history, and show and set the roles that require a second factor. */
export const securityRoutes = {
  'GET /security/': {
    summary: 'List authentication events, the newest first; a total of 10,001 means more than that',
    admits: admins,
    query: Type.Object({
      userId: Type.Optional(Type.String({ maxLength: 100 })),
      kind: Type.Optional(kind),
      ...paging,
    }),
    body: null,
    envelope: 'list',
    returns: entry,
    ok: 200,
  },
  'GET /security/own/': {
    summary: 'List the authentication events of the user’s own account, the newest first',
    admits: everyone,
    duringEnrolment: true,
    query: Type.Object({ kind: Type.Optional(kind), ...paging }),
    body: null,
    envelope: 'list',
    returns: entry,
    ok: 200,
  },
  'GET /security/second-factor/': {
    summary: 'Return which roles require a second factor',
    admits: leading,
    query: none,
    body: null,
    envelope: 'response',
    returns: policy,
    ok: 200,
  },
  'POST /security/second-factor/': {
    summary: 'Set which roles require a second factor; users without one are locked out after the grace period',
    admits: admins,
    fresh: true,
    query: none,
    body: policy,
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
} as const satisfies PanelContract
