import { isForwarded } from '../../http/request/forwarded.ts'
import { deviceSeconds } from './sessions.operations.ts'

/** The properties of a connection that determine the cookie names and attributes which the browser accepts. */
export interface Connection {
  /** The address of the socket's peer, which is the proxy if there is one. */
  readonly peer: string | undefined
  readonly encrypted: boolean
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** A cookie of the panel, whose name over HTTPS differs from its name over plain HTTP on loopback. */
export interface Cookie {
  /** The name of the cookie over HTTPS. Browsers bind a cookie with the prefix `__Host-` to the host that set it. */
  readonly secure: `__Host-${string}`
  /** The name of the cookie over plain HTTP on loopback, where Safari refuses every `Secure` cookie. */
  readonly loopback: string
  /**
   * Seconds until the browser deletes the cookie; when absent, the browser deletes the cookie when the browser session
   * ends.
   */
  readonly maxAge?: number
}

/** The cookie with the secret of a session. */
export const sessionCookie: Cookie = { secure: '__Host-daybook', loopback: 'daybook-loopback' }

/** The cookie by which the service recognises a browser in which a user has signed in before. */
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

/** Returns the `Set-Cookie` header that deletes a cookie. */
export function clearCookie(connection: Connection, cookie: Cookie): string {
  return setCookie(connection, { ...cookie, maxAge: 0 }, '')
}

/**
 * Returns the value of a cookie in a request; undefined when the request has no non-empty value of the cookie, or
 * several.
 */
export function readCookie(connection: Connection, { secure, loopback }: Cookie): string | undefined {
  const { cookie } = connection.headers
  const pairs = (typeof cookie === 'string' ? cookie : '').split(';').map((part) => part.trim().split('='))
  const valueNamed = (name: string): string | undefined => {
    const values = pairs.flatMap(([key, value = '']) => (key === name && value !== '' ? [value] : []))
    return values.length === 1 ? values[0] : undefined
  }
  // The cookie without `Secure` is accepted on loopback only; elsewhere, an attacker on the network could have set it.
  return (isPlainLoopback(connection) ? valueNamed(loopback) : undefined) ?? valueNamed(secure)
}

/**
 * Whether the browser runs on the service's machine and connects without a proxy: over plain http, with a loopback peer
 * and `Host` header, and without forwarding headers.
 */
function isPlainLoopback({ peer, encrypted, headers }: Connection): boolean {
  if (encrypted || isForwarded(headers)) return false
  const { host } = headers
  const named = typeof host === 'string' && /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i.test(host)
  return named && peer !== undefined && /^(?:(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1)$/i.test(peer)
}
