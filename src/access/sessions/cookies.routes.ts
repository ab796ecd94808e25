import { isForwarded } from '../../http/request/forwarded.ts'
import { deviceSeconds } from './sessions.operations.ts'

/** The parts of a request that decide which cookies the browser accepts. */
export interface Connection {
  /** Address of the socket's peer, not of the client that a proxy names. */
  readonly peer: string | undefined
  readonly encrypted: boolean
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** One cookie of the panel with its two names. */
export interface Cookie {
  /** Sent over https only, to this host only. */
  readonly secure: `__Host-${string}`
  /** For this machine without https, where Safari refuses every `Secure` cookie. */
  readonly loopback: string
  /** Seconds until the browser drops the cookie; a session cookie when absent. */
  readonly maxAge?: number
}

/** Contains the secret of a session. */
export const sessionCookie: Cookie = { secure: '__Host-daybook', loopback: 'daybook-loopback' }

/** Identifies the browser to users who signed in with it before. */
export const deviceCookie: Cookie = {
  secure: '__Host-daybook-device',
  loopback: 'daybook-loopback-device',
  maxAge: deviceSeconds,
}

/** Returns the `Set-Cookie` header that stores a secret, inaccessible to scripts. */
export function setCookie(connection: Connection, { secure, loopback, maxAge }: Cookie, secret: string): string {
  const plain = isPlainLoopback(connection)
  const attributes = ['Path=/', ...(plain ? [] : ['Secure']), 'HttpOnly', 'SameSite=Strict']
  if (maxAge !== undefined) attributes.push(`Max-Age=${maxAge}`)
  return `${plain ? loopback : secure}=${secret}; ${attributes.join('; ')}`
}

/** Returns the `Set-Cookie` header that clears the cookie. */
export function clearCookie(connection: Connection, cookie: Cookie): string {
  return setCookie(connection, { ...cookie, maxAge: 0 }, '')
}

/** Returns the secret in a request; undefined when the cookie is missing or occurs twice. */
export function readCookie(connection: Connection, { secure, loopback }: Cookie): string | undefined {
  const { cookie } = connection.headers
  const pairs = (typeof cookie === 'string' ? cookie : '').split(';').map((part) => part.trim().split('='))
  const valueNamed = (name: string): string | undefined => {
    const values = pairs.flatMap(([key, value = '']) => (key === name && value !== '' ? [value] : []))
    return values.length === 1 ? values[0] : undefined
  }
  // The cookie without `Secure` is accepted on loopback only: elsewhere, anyone on the network could have planted it.
  return (isPlainLoopback(connection) ? valueNamed(loopback) : undefined) ?? valueNamed(secure)
}

/** Whether browser and service share one machine: loopback peer, loopback Host, plain http, and no trace of a proxy. */
function isPlainLoopback({ peer, encrypted, headers }: Connection): boolean {
  if (encrypted || isForwarded(headers)) return false
  const { host } = headers
  const named = typeof host === 'string' && /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i.test(host)
  return named && peer !== undefined && /^(?:(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1)$/i.test(peer)
}
