import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { receiveForm } from '../../http/request/form-body.ts'
import { manageSecret, openVerifySecret } from '../../reservations/manage-secret.operations.ts'
import type { Reservation } from '../../reservations/reservation.ts'
import { answerPage, openRequest, type PageRequest, type PageSources } from '../page-context.routes.ts'
import { pageRoute } from '../views/error-pages.ts'
import { messagePage } from '../views/layout.ts'
import { verifyPage } from '../views/verify.ts'
import { openManagePage } from './manage-cookie.routes.ts'

const place = '/manage/verify/:secret/'

/**
 * Serves the page on which a customer confirms the e-mail address of a booking. The link in the mail only opens the
 * page, and a button on it confirms, because mail scanners open links.
 */
export function answerVerifyPage(fastify: FastifyInstance, sources: PageSources): void {
  fastify.get(place, pageRoute(`GET ${place}`), async (request, reply) => {
    const opened = await openLink(sources, request, reply)
    if (!opened) return
    const { page, reservation } = opened
    if (isExpired(reservation, page.now)) return expired(page)
    if (reservation.awaits !== 'email') return toManagePage(page, reservation)
    const { catalogue, view } = page
    const shown = {
      ...view,
      reservation,
      until: reservation.expiresAt ?? page.now,
      service: catalogue.service(reservation.serviceId),
      provider: catalogue.provider(reservation.providerId),
    }
    return answerPage(page, verifyPage(shown), 200, { own: true })
  })
  fastify.post(place, pageRoute(`POST ${place}`), async (request, reply) => {
    const sent = await receiveForm(request, reply, sources.slots)
    const opened = sent && (await openLink(sources, request, reply))
    if (!opened) return
    const { page, reservation } = opened
    const actor = { kind: 'customer', id: reservation.customerId } as const
    const context = { actor, now: page.now, requestId: request.id, dryRun: false, idempotency: null }
    const outcome = await sources.app.perform('booking-page.verify', { id: reservation.id }, context)
    if ('fault' in outcome) return answerPage(page, messagePage(page.view, 'failed', 'busy'), 503, { own: true })
    return 'ok' in outcome || reservation.awaits !== 'email' ? toManagePage(page, reservation) : expired(page)
  })
}

async function openLink(sources: PageSources, request: FastifyRequest, reply: FastifyReply) {
  const page = await openRequest(sources, request, reply)
  const secret = String((request.params as Readonly<Record<string, unknown>>).secret ?? '')
  const reservation = await openVerifySecret(sources.app.db, page.catalogue, secret)
  if (reservation && sources.limits.form(request.ip, page.now)) return { page, reservation }
  const limited = reservation !== undefined || !sources.limits.form(request.ip, page.now)
  const message = limited
    ? messagePage(page.view, 'failed', 'tooMany')
    : messagePage(page.view, 'linkInvalid', 'notFoundText')
  await answerPage(page, message, limited ? 429 : 404, { own: true })
  return undefined
}

/** Whether the booking ended before its e-mail address was confirmed; a cancelled one retains `awaits` in that case. */
function isExpired({ status, awaits, expiresAt }: Reservation, now: number): boolean {
  return awaits === 'email' && (status === 'cancelled' || (expiresAt !== null && expiresAt <= now))
}

function expired(page: PageRequest): Promise<void> {
  return answerPage(page, messagePage(page.view, 'verifyExpired', 'verifyExpiredText'), 410, { own: true })
}

function toManagePage(page: PageRequest, reservation: Reservation): void {
  openManagePage(page, {
    secret: manageSecret(page.catalogue, reservation),
    path: '/manage/',
    more: { done: reservation.status === 'cancelled' ? '' : 'verified' },
  })
}
