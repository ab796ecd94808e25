import { Type } from 'typebox'
import type { PersonRole } from '../../domain/person.ts'
import type { PanelContract } from '../endpoint.ts'
import { calendarInstant, email, name, oneOf, orNull } from '../resources.ts'
import { everyone, none, nothing, paging, password, secret } from './row.ts'

/** What someone may do in the panel. */
export const role = oneOf<PersonRole>({ admin: true, manager: true, provider: true })

/** Who is signed in, as the panel shows it to that person. */
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

const state = Type.Object({
  setUpNeeded: Type.Boolean({ description: 'No administrator exists: the set-up link makes the first' }),
  person: orNull(signedIn),
  site: Type.Object({
    name: Type.String(),
    timezone: Type.String(),
    language: Type.String(),
    currency: Type.String(),
  }),
  now: calendarInstant,
})

const entry = Type.Object({
  state: oneOf<'signed_in' | 'second_factor'>({ signed_in: true, second_factor: true }),
  person: orNull(signedIn),
  methods: Type.Array(oneOf<'totp' | 'passkey' | 'recovery'>({ totp: true, passkey: true, recovery: true }), {
    description: 'With second_factor: what may be sent with e-mail and password, or instead of them (passkey)',
  }),
})

const session = Type.Object({
  id: Type.String(),
  device: Type.String({ description: 'Browser and system, as far as they can be told' }),
  address: Type.String(),
  createdAt: calendarInstant,
  lastSeenAt: calendarInstant,
  current: Type.Boolean(),
})

/** Signing in and out, the sessions of one person, set-up, passwords. */
export const sessionRows = {
  'GET /session/': {
    summary: 'Say who is signed in, and what a sign-in page needs',
    admits: 'anyone',
    query: none,
    body: null,
    answer: 'response',
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
      code: Type.Optional(Type.String({ maxLength: 20, description: 'Six digits of an authenticator app' })),
      recoveryCode: Type.Optional(Type.String({ maxLength: 40, description: 'Each works once' })),
    }),
    answer: 'response',
    returns: entry,
    ok: 200,
    once: true,
  },
  'POST /session/sign-out/': {
    summary: 'End this session',
    admits: everyone,
    query: none,
    body: null,
    answer: 'nothing',
    returns: nothing,
    ok: 200,
    once: true,
  },
  'GET /sessions/': {
    summary: 'List the own sessions, the latest seen first',
    admits: everyone,
    query: Type.Object({ ...paging }),
    body: null,
    answer: 'list',
    returns: session,
    ok: 200,
  },
  'POST /sessions/end/': {
    summary: 'End one of the own sessions, or all others when none is named',
    admits: everyone,
    query: none,
    body: Type.Object({ id: Type.Optional(Type.String()) }),
    answer: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /set-up/': {
    summary: 'Make the first administrator with the secret of the set-up link, and sign in',
    admits: 'anyone',
    query: none,
    body: Type.Object({ secret, name, email, password }),
    answer: 'response',
    returns: entry,
    ok: 200,
    once: true,
  },
  'POST /password/set/': {
    summary: 'Set a password with the secret of a one-time link; ends all sessions of the person',
    admits: 'anyone',
    query: none,
    body: Type.Object({ secret, password }),
    answer: 'response',
    returns: Type.Object({ email: Type.String({ description: 'To sign in with' }) }),
    ok: 200,
    once: true,
  },
  'POST /password/change/': {
    summary: 'Change the own password; ends all other sessions',
    admits: everyone,
    query: none,
    body: Type.Object({ current: password, password }),
    answer: 'nothing',
    returns: nothing,
    ok: 200,
    once: true,
  },
} as const satisfies PanelContract
