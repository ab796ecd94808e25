import type { FastifyRequest } from 'fastify'
import { type PageRequest, redirect } from '../page-context.routes.ts'
import { visitUrl } from '../visit.ts'

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
 * Redirects to a page below `/manage/`, with a cookie that stores the secret which opens the pages of one reservation.
 * `more` has further parameters of the URL.
 */
export function openManagePage(
  { reply, view }: Pick<PageRequest, 'reply' | 'view'>,
  {
    secret,
    path,
    more,
  }: { readonly secret: string; readonly path: string; readonly more?: Readonly<Record<string, string>> },
): void {
  reply.raw.setHeader('Set-Cookie', `${cookie}=${secret}; Path=/manage/; ${cookieAttributes(view.origin)}`)
  redirect(reply, visitUrl(path, view.visit, more), 303)
}

/**
 * Returns the attributes of the cookies that give customers access to their bookings. They are `Secure` if the public
 * origin of this installation is, whatever a request claims about its own connection.
 */
export function cookieAttributes(origin: string): string {
  return `HttpOnly; SameSite=Lax${origin.startsWith('https:') ? '; Secure' : ''}`
}
