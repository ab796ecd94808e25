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
 * reservation).
 */
export function manageCookieHeader({ protocol }: FastifyRequest, secret: string): string {
  const secure = protocol === 'https' ? '; Secure' : ''
  return `${cookie}=${secret}; Path=/manage/; HttpOnly; SameSite=Lax${secure}`
}
