import { request } from './request.ts'
import type { SignInEntry } from './session.ts'

/** Whether the browser supports passkeys at this address; passkeys require a domain name, not an IP address. */
export function passkeysWork(): boolean {
  return typeof PublicKeyCredential === 'function' && !/^\[|^[\d.]+$/.test(location.hostname)
}

/** Signs in with a passkey; undefined when the user cancelled. */
export async function signInByPasskey(): Promise<SignInEntry | undefined> {
  const credential = await shownPasskey()
  if (!credential) return undefined
  return (await request('POST /session/passkey/sign-in/', { body: { credential } })).user
}

/** Confirms the signed-in user's identity with a passkey; false when the user cancelled. */
export async function proveByPasskey(): Promise<boolean> {
  const credential = await shownPasskey()
  if (!credential) return false
  await request('POST /session/passkey/authenticate/', { body: { credential } })
  return true
}

async function shownPasskey() {
  const { startAuthentication } = await library()
  const { options } = await request('POST /session/passkey/options/', {})
  const credential = await startAuthentication({ optionsJSON: plain(options) }).then(kept, ignored)
  return credential && plain(credential)
}

/** Creates and registers a passkey. Returns new recovery codes, or undefined when the user cancelled. */
export async function addPasskey(name: string): Promise<readonly string[] | undefined> {
  const { startRegistration } = await library()
  const { options } = await request('POST /second-factor/passkeys/options/', {})
  const credential = await startRegistration({ optionsJSON: plain(options) }).then(kept, ignored)
  if (!credential) return undefined
  const { recoveryCodes } = await request('POST /second-factor/passkeys/register/', {
    body: { name, credential: plain(credential) },
  })
  return recoveryCodes
}

// Passkey sign-in is rare on most sites, so the library is loaded on use.
function library() {
  return import('@simplewebauthn/browser')
}

// The library and the contract declare the same JSON in different types.
function plain(value: object) {
  return JSON.parse(JSON.stringify(value))
}

function kept<T>(made: T): T {
  return made
}

// The browser does not distinguish cancellation from a missing key; both have the same message.
function ignored(): undefined {
  return undefined
}
