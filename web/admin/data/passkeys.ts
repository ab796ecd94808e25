import { request } from './request.ts'
import type { SignInEntry } from './session.ts'

/** Whether the browser supports passkeys at this address; passkeys require a domain name, not an IP address. */
export function supportsPasskeys(): boolean {
  return typeof PublicKeyCredential === 'function' && !/^\[|^[\d.]+$/.test(location.hostname)
}

/** Signs in with a passkey and returns the user; undefined when the user cancelled or has no passkey. */
export async function signInByPasskey(): Promise<SignInEntry | undefined> {
  const credential = await requestCredential()
  if (!credential) return undefined
  return (await request('POST /session/passkey/sign-in/', { body: { credential } })).user
}

/** Confirms the signed-in user's identity with a passkey; false when the user cancelled or has no passkey. */
export async function reauthenticateByPasskey(): Promise<boolean> {
  const credential = await requestCredential()
  if (!credential) return false
  await request('POST /session/passkey/authenticate/', { body: { credential } })
  return true
}

async function requestCredential() {
  const { startAuthentication } = await loadLibrary()
  const { options } = await request('POST /session/passkey/options/', {})
  const credential = await startAuthentication({ optionsJSON: toJson(options) }).then(returnCredential, returnUndefined)
  return credential && toJson(credential)
}

/**
 * Creates and registers a passkey. Returns the new recovery codes, empty when the user already has recovery codes, or
 * undefined when the user cancelled.
 */
export async function addPasskey(name: string): Promise<readonly string[] | undefined> {
  const { startRegistration } = await loadLibrary()
  const { options } = await request('POST /second-factor/passkeys/options/', {})
  const credential = await startRegistration({ optionsJSON: toJson(options) }).then(returnCredential, returnUndefined)
  if (!credential) return undefined
  const { recoveryCodes } = await request('POST /second-factor/passkeys/register/', {
    body: { name, credential: toJson(credential) },
  })
  return recoveryCodes
}

// Passkeys are rare on most sites, so the library is loaded on first use.
function loadLibrary() {
  return import('@simplewebauthn/browser')
}

// Converts a value between the types of the WebAuthn library and of the panel's API, which declare the same JSON
// differently.
function toJson(value: object) {
  return JSON.parse(JSON.stringify(value))
}

function returnCredential<T>(made: T): T {
  return made
}

// Handles a rejected request for a passkey. The browser reports a cancelled dialog and a missing passkey with the
// same error, so every rejection counts as cancelled.
function returnUndefined(): undefined {
  return undefined
}
