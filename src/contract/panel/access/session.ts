import { Type } from 'typebox'
import type { UserRole } from '../../../access/users/user.ts'
import type { PanelContract } from '../../endpoint.ts'
import { calendarInstant, email, name, oneOf, orNull } from '../../resources.ts'
import { everyone, none, nothing, paging, password, secret } from '../row.ts'

/** The role of a user, which decides what the user may do in the panel. */
export const role = oneOf<UserRole>({ admin: true, manager: true, provider: true })

/** The signed-in user, as the panel shows them. */
export const signedIn = Type.Object({
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  role,
  providerId: orNull(Type.Integer({ description: 'The provider that this person is' })),
  totp: Type.Boolean({ description: 'Signs in with a code of an authenticator app' }),
  passkeys: Type.Integer({ description: 'How many passkeys are registered' }),
  recoveryCodes: Type.Integer({ description: 'How many recovery codes are left' }),
})

const inSession = Type.Object({
  ...signedIn.properties,
  secondFactorDueAt: orNull(
    Type.Integer({ description: 'From when the panel is closed without a second factor; null when none is missing' }),
  ),
  factorsLiftedAt: orNull(
    Type.Integer({ description: 'When a link lifted the second factors, until the person has dismissed the notice' }),
  ),
})

const state = Type.Object({
  setUpNeeded: Type.Boolean({ description: 'No administrator exists: the set-up link makes the first' }),
  user: orNull(inSession),
  site: Type.Object({
    name: Type.String(),
    timezone: Type.String(),
    language: Type.String(),
    currency: Type.String(),
  }),
  now: calendarInstant,
})

const methods = Type.Array(oneOf<'totp' | 'passkey' | 'recovery'>({ totp: true, passkey: true, recovery: true }), {
  description: 'With second_factor: what may be sent with the password, or instead of it (passkey)',
})

const typedCodes = {
  code: Type.Optional(Type.String({ maxLength: 20, description: 'Six digits of an authenticator app' })),
  recoveryCode: Type.Optional(Type.String({ maxLength: 40, description: 'Each works once' })),
}

const entry = Type.Object({
  state: oneOf<'signed_in' | 'second_factor'>({ signed_in: true, second_factor: true }),
  user: orNull(signedIn),
  methods,
})

const session = Type.Object({
  id: Type.String(),
  device: Type.String({ description: 'Browser and system, as far as they can be told' }),
  address: Type.String(),
  createdAt: calendarInstant,
  lastSeenAt: calendarInstant,
  current: Type.Boolean(),
})

/** Signing in and out, the user's own sessions, set-up and passwords. */
export const sessionRoutes = {
  'GET /session/': {
    summary: 'Say who is signed in, and what a sign-in page needs',
    admits: 'anyone',
    query: none,
    body: null,
    envelope: 'response',
    returns: state,
    ok: 200,
  },
  'POST /session/sign-in/': {
    summary: 'Sign in with e-mail and password, and a code where the person has a second factor',
    admits: 'anyone',
    query: none,
    body: Type.Object({
      email: Type.String({ maxLength: 254 }),
      password,
      ...typedCodes,
    }),
    envelope: 'response',
    returns: entry,
    ok: 200,
    once: true,
  },
  'POST /session/authenticate/': {
    summary: 'Prove with password and second factor that the person of this session is that person, for five minutes',
    admits: everyone,
    duringEnrolment: true,
    query: none,
    body: Type.Object({ password, ...typedCodes }),
    envelope: 'response',
    returns: Type.Object({
      state: oneOf<'authenticated' | 'second_factor'>({ authenticated: true, second_factor: true }),
      methods,
    }),
    ok: 200,
    once: true,
  },
  'POST /session/authenticated/': {
    summary: 'Say whether the person proved who they are within the last five minutes; refuses where not',
    admits: everyone,
    fresh: true,
    duringEnrolment: true,
    query: none,
    body: null,
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /session/notice/dismiss/': {
    summary: 'Take away the notice that the second factors were lifted',
    admits: everyone,
    duringEnrolment: true,
    query: none,
    body: null,
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /session/sign-out/': {
    summary: 'End this session',
    admits: everyone,
    duringEnrolment: true,
    query: none,
    body: null,
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
    once: true,
  },
  'GET /sessions/': {
    summary: 'List the own sessions, the latest seen first',
    admits: everyone,
    duringEnrolment: true,
    query: Type.Object({ ...paging }),
    body: null,
    envelope: 'list',
    returns: session,
    ok: 200,
  },
  'POST /sessions/end/': {
    summary: 'End one of the own sessions, or all others when none is named',
    admits: everyone,
    duringEnrolment: true,
    query: none,
    body: Type.Object({ id: Type.Optional(Type.String()) }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /set-up/': {
    summary: 'Make the first administrator with the secret of the set-up link, and sign in',
    admits: 'anyone',
    query: none,
    body: Type.Object({ secret, name, email, password }),
    envelope: 'response',
    returns: entry,
    ok: 200,
    once: true,
  },
  'POST /password/set/': {
    summary: 'Set a password with the secret of a one-time link; ends all sessions of the person',
    admits: 'anyone',
    query: none,
    body: Type.Object({ secret, password }),
    envelope: 'response',
    returns: Type.Object({ email: Type.String({ description: 'To sign in with' }) }),
    ok: 200,
    once: true,
  },
  'POST /password/change/': {
    summary: 'Change the own password; ends all other sessions',
    admits: everyone,
    fresh: true,
    duringEnrolment: true,
    query: none,
    body: Type.Object({ password }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
    once: true,
  },
} as const satisfies PanelContract
