import type { FastifyRequest } from 'fastify'

const cookie = 'daybook-manage'

/**
 * Returns the secret that opens a manage page (the page on which a customer manages one reservation) from the cookie of
 * a request; empty when there is none.
 */
export function manageCookie({ headers }: FastifyRequest): string {
  const pairs = (headers.cookie ?? '').split(';').map((part) => part.trim().split('='))
  return pairs.find(([name]) => name === cookie)?.[1] ?? ''
}

/**
 * Returns the header `Set-Cookie` that stores the secret of a manage page (the page on which a customer manages one
 * reservation). `origin` is the public origin of this installation.
 */
export function manageCookieHeader(origin: string, secret: string): string {
  return `${cookie}=${secret}; Path=/manage/; ${cookieAttributes(origin)}`
}

/**
 * Returns the attributes of the cookies that give customers access to their bookings. They are `Secure` if the public
 * origin of this installation is, whatever a request claims about its own connection.
 */
export function cookieAttributes(origin: string): string {
  return `HttpOnly; SameSite=Lax${origin.startsWith('https:') ? '; Secure' : ''}`
}
