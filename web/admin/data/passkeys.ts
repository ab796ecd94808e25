import { request } from './ask.ts'
import type { SignInEntry } from './session.ts'

/** Whether this browser has passkeys at this address: they belong to a name, and an address of numbers is none. */
export function passkeysWork(): boolean {
  return typeof PublicKeyCredential === 'function' && !/^\[|^[\d.]+$/.test(location.hostname)
}

/** Asks the browser for a passkey and signs in with it; undefined when none was used. */
export async function signInByPasskey(): Promise<SignInEntry | undefined> {
  const credential = await shownPasskey()
  if (!credential) return undefined
  return (await request('POST /session/passkey/sign-in/', { body: { credential } })).person
}

/** Asks the browser for a passkey and proves with it who is signed in; false when none was used. */
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

/** Has the browser make a passkey and registers it; the new recovery codes, or undefined when none was made. */
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

// Few sign in by passkey on most sites: the library comes when it is used.
function library() {
  return import('@simplewebauthn/browser')
}

// Both sides write the same JSON down in types of their own.
function plain(value: object) {
  return JSON.parse(JSON.stringify(value))
}

function kept<T>(made: T): T {
  return made
}

// A browser does not say whether the person declined or the key was missing; both are told in one sentence.
function ignored(): undefined {
  return undefined
}
