import type {
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import type { PanelContract } from '../../endpoint.ts'
import { calendarInstant, orNull, typed } from '../../fields.ts'
import { Type } from '../../schema.ts'
import { everyone, none, nothing, paging } from '../row.ts'
import { signedIn } from './session.ts'

const code = Type.String({ maxLength: 20, description: 'Six digits of the authenticator app' })
const codes = Type.Object({
  recoveryCodes: Type.Array(Type.String(), {
    description: 'Returned only once; empty when the user already has recovery codes',
  }),
})
const bytes = Type.String({ maxLength: 100_000, description: 'base64url' })
const attachment = Type.Optional(
  Type.Unsafe<'cross-platform' | 'platform'>({ type: 'string', enum: ['cross-platform', 'platform'] }),
)
const transport = Type.Unsafe<AuthenticatorTransport>({ type: 'string', maxLength: 40 })

/** The schema of the result of `navigator.credentials.create` as JSON, with which a browser registers a passkey. */
const registration = Type.Object({
  id: bytes,
  rawId: bytes,
  type: Type.Literal('public-key'),
  authenticatorAttachment: attachment,
  response: Type.Object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: Type.Optional(Type.Array(transport, { maxItems: 20 })),
  }),
})

/** The schema of the result of `navigator.credentials.get` as JSON, with which a browser signs in with a passkey. */
const assertion = Type.Object({
  id: bytes,
  rawId: bytes,
  type: Type.Literal('public-key'),
  authenticatorAttachment: attachment,
  response: Type.Object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: Type.Optional(bytes),
  }),
})

const passkey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  createdAt: calendarInstant,
  lastUsedAt: orNull(calendarInstant),
})

/**
 * The routes of second factors, such as those that add and remove authenticator apps and passkeys, renew recovery
 * codes, and sign in with a passkey. Changing a second factor requires recent authentication.
 */
export const secondFactorRoutes = {
  'POST /second-factor/totp/begin/': {
    summary: 'Create a secret for an authenticator app, which counts once a code is confirmed',
    admits: everyone,
    fresh: true,
    duringEnrolment: true,
    query: none,
    body: null,
    envelope: 'response',
    returns: Type.Object({
      secret: Type.String({ description: 'Secret in base32, to type by hand' }),
      uri: Type.String({ description: 'otpauth:// URI, to show as a QR code' }),
    }),
    ok: 200,
    once: true,
  },
  'POST /second-factor/totp/confirm/': {
    summary: 'Confirm the authenticator app with a code; signing in requires one from then on',
    admits: everyone,
    fresh: true,
    duringEnrolment: true,
    query: none,
    body: Type.Object({ code }),
    envelope: 'response',
    returns: codes,
    ok: 200,
    once: true,
  },
  'POST /second-factor/totp/remove/': {
    summary: 'Remove the authenticator app',
    admits: everyone,
    fresh: true,
    duringEnrolment: true,
    query: none,
    body: null,
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
    once: true,
  },
  'POST /second-factor/recovery-codes/renew/': {
    summary: 'Create ten new recovery codes; earlier ones become invalid',
    admits: everyone,
    fresh: true,
    duringEnrolment: true,
    query: none,
    body: null,
    envelope: 'response',
    returns: codes,
    ok: 200,
    once: true,
  },
  'GET /second-factor/passkeys/': {
    summary: 'List the user’s passkeys',
    admits: everyone,
    duringEnrolment: true,
    query: Type.Object({ ...paging }),
    body: null,
    envelope: 'list',
    returns: passkey,
    ok: 200,
  },
  'POST /second-factor/passkeys/options/': {
    summary: 'Return the options with which the browser creates a passkey, valid for five minutes',
    admits: everyone,
    fresh: true,
    duringEnrolment: true,
    query: none,
    body: null,
    envelope: 'response',
    returns: Type.Object({ options: Type.Unsafe<PublicKeyCredentialCreationOptionsJSON>({ type: 'object' }) }),
    ok: 200,
    once: true,
  },
  'POST /second-factor/passkeys/register/': {
    summary: 'Register the passkey that the browser created',
    admits: everyone,
    fresh: true,
    duringEnrolment: true,
    query: none,
    body: Type.Object({ name: typed(100, { minLength: 1 }), credential: registration }),
    envelope: 'response',
    returns: Type.Object({ id: Type.String(), ...codes.properties }),
    ok: 200,
    once: true,
  },
  'POST /second-factor/passkeys/remove/': {
    summary: 'Remove one of the user’s passkeys',
    admits: everyone,
    fresh: true,
    duringEnrolment: true,
    query: none,
    body: Type.Object({ id: Type.String() }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
    once: true,
  },
  'POST /session/passkey/options/': {
    summary: 'Return the options with which the browser uses a passkey, valid for five minutes',
    admits: 'anyone',
    query: none,
    body: null,
    envelope: 'response',
    returns: Type.Object({ options: Type.Unsafe<PublicKeyCredentialRequestOptionsJSON>({ type: 'object' }) }),
    ok: 200,
    once: true,
  },
  'POST /session/passkey/authenticate/': {
    summary: 'Confirm the user’s identity with a passkey, for five minutes',
    admits: everyone,
    duringEnrolment: true,
    query: none,
    body: Type.Object({ credential: assertion }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
    once: true,
  },
  'POST /session/passkey/sign-in/': {
    summary: 'Sign in with a passkey, which counts as both factors',
    admits: 'anyone',
    query: none,
    body: Type.Object({ credential: assertion }),
    envelope: 'response',
    returns: Type.Object({ user: signedIn }),
    ok: 200,
    once: true,
  },
} as const satisfies PanelContract
