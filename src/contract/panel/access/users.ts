import { anyValue, type PanelContract } from '../../endpoint.ts'
import { calendarInstant, email, name, oneOf, orNull, whole } from '../../fields.ts'
import { Type } from '../../schema.ts'
import { admins, none, nothing, paging } from '../row.ts'
import { role } from './session.ts'

const status = oneOf<'active' | 'disabled'>({ active: true, disabled: true })
const providerId = orNull(
  whole(1, undefined, { description: 'Provider that the user is linked to; for the role provider' }),
)

const user = Type.Object({
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  role,
  providerId,
  status,
  passwordSet: Type.Boolean({ description: 'False until the user has set a password' }),
  secondFactor: Type.Boolean(),
  lastSeenAt: orNull(calendarInstant),
  createdAt: calendarInstant,
})

const link = Type.Object({
  id: Type.String(),
  link: Type.String({ description: 'One-time link that sets the password, valid for an hour; returned only once' }),
  expiresAt: calendarInstant,
})

/** The routes that list, add, change and remove users of the panel, and create links with which users set passwords. */
export const userRoutes = {
  'GET /users/': {
    summary: 'List the users of the panel, by name',
    admits: admins,
    query: Type.Object({ ...paging }),
    body: null,
    envelope: 'list',
    returns: user,
    ok: 200,
  },
  'POST /users/add/': {
    summary: 'Add a user; the response contains a one-time link that sets the password',
    admits: admins,
    fresh: true,
    query: none,
    body: Type.Object({ name, email, role, providerId: Type.Optional(providerId) }),
    envelope: 'response',
    returns: link,
    ok: 200,
    once: true,
  },
  'POST /users/edit/': {
    summary: 'Change a user; disabling ends all sessions. The last administrator cannot be disabled or demoted',
    admits: admins,
    fresh: { role: anyValue, providerId: anyValue, status: 'active' },
    query: none,
    body: Type.Object({
      id: Type.String(),
      name: Type.Optional(name),
      role: Type.Optional(role),
      providerId: Type.Optional(providerId),
      status: Type.Optional(status),
    }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /users/link/': {
    summary: 'Create a new link that sets a password; earlier links of the user become invalid',
    admits: admins,
    fresh: true,
    query: none,
    body: Type.Object({
      id: Type.String(),
      liftSecondFactor: Type.Optional(
        Type.Boolean({
          description: 'Whether using the link also removes authenticator app, passkeys and recovery codes',
        }),
      ),
    }),
    envelope: 'response',
    returns: link,
    ok: 200,
    once: true,
  },
  'POST /users/remove/': {
    summary: 'Remove a user permanently; the last administrator cannot be removed',
    admits: admins,
    fresh: true,
    query: none,
    body: Type.Object({ id: Type.String() }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
} as const satisfies PanelContract
