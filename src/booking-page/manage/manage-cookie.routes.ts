import type { FastifyRequest } from 'fastify'

const cookie = 'daybook-manage'

/** Returns the secret of the manage page that the browser has opened; empty for none. */
export function manageCookie({ headers }: FastifyRequest): string {
  const pairs = (headers.cookie ?? '').split(';').map((part) => part.trim().split('='))
  return pairs.find(([name]) => name === cookie)?.[1] ?? ''
}

/** Returns the header that keeps the secret of a manage page in the browser. */
export function manageCookieHeader({ protocol }: FastifyRequest, secret: string): string {
  const secure = protocol === 'https' ? '; Secure' : ''
  return `${cookie}=${secret}; Path=/manage/; HttpOnly; SameSite=Lax${secure}`
}
