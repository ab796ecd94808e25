import type { PanelContext } from '../../access/sessions/panel-session.routes.ts'
import type { bookingLinkRoutes } from '../../contract/panel/booking/booking-links.ts'
import type { Handlers } from '../../http/call.ts'
import type { Operations } from '../../operations.ts'
import { hashSecret, newSecret } from '../secrets.operations.ts'
import { linkState } from './booking-link.ts'
import { listLinks } from './links.sql.ts'

const maxListed = 200
const day = 86_400

/** Returns the path of a private link; it contains the secret. */
function linkPath(secret: string): string {
  return `/book/link/${secret}/`
}

/** Route handlers that list, create and revoke private links to services. */
export function bookingLinkHandlers({
  app,
  origin,
}: Pick<PanelContext, 'app'> & { origin(): string }): Handlers<typeof bookingLinkRoutes, Operations> {
  return {
    'GET /booking-page/links/': async ({ query: { serviceId }, now }) => {
      const links = await listLinks(app.db, serviceId, maxListed)
      return {
        links: links.map(({ id, singleUse, expiresAt, createdAt, reservationId, ...link }) => {
          const state = linkState({ id, singleUse, expiresAt, createdAt, reservationId, ...link }, now)
          return { id, singleUse, expiresAt, createdAt, reservationId, state }
        }),
      }
    },
    'POST /booking-page/links/add/': async ({ body: { serviceId, singleUse, days }, now, perform }) => {
      const secret = newSecret()
      const expiresAt = days === null ? null : now + days * day
      const input = { serviceId, singleUse, expiresAt, hash: hashSecret(secret) }
      const { id } = await perform('booking-page.links.add', input)
      return { id, url: origin() + linkPath(secret) }
    },
    'POST /booking-page/links/revoke/': ({ body, perform }) => perform('booking-page.links.revoke', body),
  }
}
