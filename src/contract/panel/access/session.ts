import type { UserRole } from '../../../access/users/user.ts'
import type { PanelContract } from '../../endpoint.ts'
import { calendarInstant, email, name, oneOf, orNull } from '../../fields.ts'
import { Type } from '../../schema.ts'
import { everyone, none, nothing, paging, password, secret } from '../row.ts'

/** The schema of the role of a user, which decides what the user may do in the panel. */
export const role = oneOf<UserRole>({ admin: true, manager: true, receptionist: true, provider: true, read_only: true })

/** The schema of the signed-in user, as the panel shows them. */
export const signedIn = Type.Object({
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  role,
  providerId: orNull(Type.Integer({ description: 'Provider that the user is linked to' })),
  totp: Type.Boolean({ description: 'Whether an authenticator app is set up' }),
  passkeys: Type.Integer({ description: 'Number of registered passkeys' }),
  recoveryCodes: Type.Integer({ description: 'Number of unused recovery codes' }),
})

const language = oneOf<'en' | 'de' | 'es' | 'fr'>({ en: true, de: true, es: true, fr: true })

const inSession = Type.Object({
  ...signedIn.properties,
  language: orNull(
    Type.String({ description: 'Language of the messages to the user; null until the user has opened the panel' }),
  ),
  secondFactorDueAt: orNull(
    Type.Integer({ description: 'Time from which the user needs a second factor; null when none is missing' }),
  ),
  factorsLiftedAt: orNull(
    Type.Integer({
      description: 'Time at which a link removed the second factors; null once the user has dismissed the notice',
    }),
  ),
})

const state = Type.Object({
  setUpNeeded: Type.Boolean({ description: 'Whether no administrator exists; the set-up link creates the first' }),
  user: orNull(inSession),
  site: Type.Object({
    name: Type.String(),
    timezone: Type.String(),
    language: Type.String(),
    currency: Type.String(),
    cancelReasons: Type.Array(Type.String(), {
      description:
        'Reasons to choose from when a reservation is cancelled; empty for the default list and without a user',
    }),
  }),
  now: calendarInstant,
})

const methods = Type.Array(oneOf<'totp' | 'passkey' | 'recovery'>({ totp: true, passkey: true, recovery: true }), {
  description: 'For second_factor: the factors accepted with the password, or in place of it (passkey)',
})

const typedCodes = {
  code: Type.Optional(Type.String({ maxLength: 20, description: 'Six digits of an authenticator app' })),
  recoveryCode: Type.Optional(Type.String({ maxLength: 40, description: 'Recovery code, which works once' })),
}

const entry = Type.Object({
  state: oneOf<'signed_in' | 'second_factor'>({ signed_in: true, second_factor: true }),
  user: orNull(signedIn),
  methods,
})

const session = Type.Object({
  id: Type.String(),
  device: Type.String({ description: 'Browser and operating system, as far as they are known' }),
  address: Type.String(),
  createdAt: calendarInstant,
  lastSeenAt: calendarInstant,
  current: Type.Boolean(),
})

/** The routes of sessions and passwords, such as those that sign users in and out, end sessions and set passwords. */
export const sessionRoutes = {
  'GET /session/': {
    summary: 'Return the signed-in user, and the data of the sign-in page',
    admits: 'anyone',
    query: none,
    body: null,
    envelope: 'response',
    returns: state,
    ok: 200,
  },
  'POST /session/sign-in/': {
    summary: 'Sign in with e-mail address and password, and a code if the user has a second factor',
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
    summary: 'Confirm the user’s identity with password and second factor, for five minutes',
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
    summary: 'Check that the user confirmed their identity within the last five minutes; refused otherwise',
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
    summary: 'Dismiss the notice that a link removed the second factors',
    admits: everyone,
    duringEnrolment: true,
    query: none,
    body: null,
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /session/language/': {
    summary: 'Store the language of the panel, in which the user receives messages too',
    admits: everyone,
    duringEnrolment: true,
    query: none,
    body: Type.Object({ language }),
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
    summary: 'List the user’s sessions, the most recently used first',
    admits: everyone,
    duringEnrolment: true,
    query: Type.Object({ ...paging }),
    body: null,
    envelope: 'list',
    returns: session,
    ok: 200,
  },
  'POST /sessions/end/': {
    summary: 'End one of the user’s sessions, or all others when none is named',
    admits: everyone,
    duringEnrolment: true,
    query: none,
    body: Type.Object({ id: Type.Optional(Type.String()) }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /set-up/': {
    summary: 'Create the first administrator with the secret of the set-up link, and sign in',
    admits: 'anyone',
    query: none,
    body: Type.Object({ secret, name, email, password }),
    envelope: 'response',
    returns: entry,
    ok: 200,
    once: true,
  },
  'POST /password/set/': {
    summary: 'Set a password with the secret of a one-time link; ends all sessions of the user',
    admits: 'anyone',
    query: none,
    body: Type.Object({ secret, password }),
    envelope: 'response',
    returns: Type.Object({ email: Type.String({ description: 'E-mail address of the user' }) }),
    ok: 200,
    once: true,
  },
  'POST /password/change/': {
    summary: 'Change the user’s own password; ends all other sessions',
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
