import { Type } from 'typebox'
import { anyValue, type PanelContract } from '../../endpoint.ts'
import { calendarInstant, email, name, oneOf, orNull, whole } from '../../resources.ts'
import { admins, none, nothing, paging } from '../row.ts'
import { role } from './session.ts'

const status = oneOf<'active' | 'disabled'>({ active: true, disabled: true })
const providerId = orNull(
  whole(1, undefined, { description: 'The provider that the person is; for the role provider' }),
)

const user = Type.Object({
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  role,
  providerId,
  status,
  passwordSet: Type.Boolean({ description: 'False while a link is waiting to be used' }),
  secondFactor: Type.Boolean(),
  lastSeenAt: orNull(calendarInstant),
  createdAt: calendarInstant,
})

const link = Type.Object({
  id: Type.String(),
  link: Type.String({ description: 'Sets the password once, within the hour; shown this once' }),
  expiresAt: calendarInstant,
})

/** The routes of the panel's users. */
export const userRoutes = {
  'GET /users/': {
    summary: 'List who may use the panel, by name',
    admits: admins,
    query: Type.Object({ ...paging }),
    body: null,
    envelope: 'list',
    returns: user,
    ok: 200,
  },
  'POST /users/add/': {
    summary: 'Add someone; the one-time link that is answered sets the password',
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
    summary: 'Change someone; a disabled person is signed out everywhere. One administrator always stays',
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
    summary: 'Make a new link to set a password; earlier links of the person are void',
    admits: admins,
    fresh: true,
    query: none,
    body: Type.Object({
      id: Type.String(),
      liftSecondFactor: Type.Optional(
        Type.Boolean({
          description: 'Using it also takes away authenticator app, passkeys and recovery codes',
        }),
      ),
    }),
    envelope: 'response',
    returns: link,
    ok: 200,
    once: true,
  },
  'POST /users/remove/': {
    summary: 'Remove someone for good. One administrator always stays',
    admits: admins,
    query: none,
    body: Type.Object({ id: Type.String() }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
} as const satisfies PanelContract
