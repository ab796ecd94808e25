/** What a request says of its connection, as far as it decides which session cookie the browser accepts. */
export interface Connection {
  /** Address of the socket's peer, not of the client that a proxy names. */
  readonly peer: string | undefined
  readonly encrypted: boolean
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

interface CookieForm {
  readonly name: string
  readonly attributes: string
}

/** Sent over https alone, to this host alone, and hidden from scripts. */
const secure: CookieForm = { name: '__Host-daybook', attributes: 'Path=/; Secure; HttpOnly; SameSite=Strict' }

/** For this machine without https: Safari refuses every `Secure` cookie there. */
const loopback: CookieForm = { name: 'daybook-loopback', attributes: 'Path=/; HttpOnly; SameSite=Strict' }

/** Headers that a proxy adds. Any of them means that the browser may be on another machine. */
const forwardingHeaders = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-forwarded-ssl',
  'x-real-ip',
  'x-client-ip',
  'x-original-host',
  'x-original-forwarded-for',
  'front-end-https',
  'true-client-ip',
  'cf-connecting-ip',
] as const

/** Whether browser and service share one machine: loopback peer, loopback Host, plain http, and no trace of a proxy. */
function isPlainLoopback({ peer, encrypted, headers }: Connection): boolean {
  if (encrypted || forwardingHeaders.some((name) => headers[name] !== undefined)) return false
  const { host } = headers
  const named = typeof host === 'string' && /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i.test(host)
  return named && peer !== undefined && /^(?:(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1)$/i.test(peer)
}

/** The `Set-Cookie` that has the browser keep a session's secret. */
export function keptCookie(connection: Connection, secret: string): string {
  const { name, attributes } = formFor(connection)
  return `${name}=${secret}; ${attributes}`
}

/** The `Set-Cookie` that has the browser drop it. */
export function droppedCookie(connection: Connection): string {
  return `${keptCookie(connection, '')}; Max-Age=0`
}

/** The session's secret in a request; undefined without one, and where a name occurs twice. */
export function sessionSecret(connection: Connection): string | undefined {
  const { cookie } = connection.headers
  const pairs = (typeof cookie === 'string' ? cookie : '').split(';').map((part) => part.trim().split('='))
  const valueIn = ({ name }: CookieForm): string | undefined => {
    const values = pairs.flatMap(([key, value = '']) => (key === name && value !== '' ? [value] : []))
    return values.length === 1 ? values[0] : undefined
  }
  // The one without `Secure` counts on loopback alone: elsewhere anyone on the network could have planted it.
  return (isPlainLoopback(connection) ? valueIn(loopback) : undefined) ?? valueIn(secure)
}

function formFor(connection: Connection): CookieForm {
  return isPlainLoopback(connection) ? loopback : secure
}
