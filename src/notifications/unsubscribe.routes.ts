import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findSite } from '../catalogue/site/site.sql.ts'
import type { AdmissionSlots } from '../http/bind.ts'
import { discardBody } from '../http/request/discard-body.ts'
import { overloaded } from '../http/response/errors.ts'
import { send } from '../http/response/response.ts'
import type { Daybook } from '../operations.ts'
import { findEntry, type NotificationEntry } from './notifications.sql.ts'
import { type Locale, localeOf } from './templates/template.ts'
import { type UnsubscribePage, unsubscribePage, unsubscribeStyle } from './unsubscribe-page.ts'

const place = '/unsubscribe/'
const maxIdLength = 100

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(unsubscribeStyle).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
} as const

/**
 * Serves the unsubscribe link of reminders and follow-ups, without authentication: a page that asks for confirmation,
 * and one-click unsubscription by RFC 8058. Requests with the id of a message that is not, or no longer, in the log are
 * answered with 404 and a page in the browser's language or else English.
 */
export function answerUnsubscribe(
  fastify: FastifyInstance,
  { app, slots }: { readonly app: Daybook; readonly slots: AdmissionSlots },
): void {
  fastify.get(place, { config: { row: `GET ${place}`, open: true } }, async (request, reply) => {
    const { id, entry } = await named(app, request)
    await answer(app, request, reply, { id, entry, state: 'asking' })
  })
  // The id alone authorises the request, because mail programs send neither a cookie nor an `Origin` header. The body
  // is discarded, because its content depends on the mail program.
  fastify.post(place, { config: { row: `POST ${place}`, open: true } }, async (request, reply) => {
    if (!(await received(request, reply, slots))) return
    const { id, entry } = await named(app, request)
    if (entry) await unsubscribe(app, request, id)
    await answer(app, request, reply, { id, entry, state: 'done' })
  })
}

/**
 * Reads and discards the body of a request; resolves to false after it has answered a request whose body is too long.
 * Meanwhile the request holds no admission slot, so that it does not count as being handled (see `AdmissionSlots`).
 */
function received(
  { raw, id: requestId }: FastifyRequest,
  reply: FastifyReply,
  slots: AdmissionSlots,
): Promise<boolean> {
  slots.suspend(reply.raw)
  return new Promise((resolve, reject) => {
    discardBody(raw, (complete) => {
      if (!complete) {
        reply.hijack()
        reply.raw.once('finish', () => raw.destroy())
        send(reply.raw, { status: 413, headers: { Connection: 'close' }, body: '' })
        resolve(false)
      } else if (slots.resume(reply.raw)) {
        resolve(true)
      } else {
        reject(overloaded(requestId))
      }
    })
  })
}

interface Named {
  readonly id: string
  /** The log entry of the message that contained the unsubscribe link; undefined for an unknown id. */
  readonly entry: NotificationEntry | undefined
}

async function named({ db }: Daybook, { url }: FastifyRequest): Promise<Named> {
  const id = new URLSearchParams(url.split('?')[1]).get('id') ?? ''
  return { id, entry: /^\w+$/.test(id) && id.length <= maxIdLength ? await findEntry(db, id) : undefined }
}

async function unsubscribe(app: Daybook, { id: requestId }: FastifyRequest, notificationId: string): Promise<void> {
  const actor = { kind: 'customer', id: '' } as const
  const context = { actor, now: app.now(), requestId, dryRun: false, idempotency: null }
  const outcome = await app.perform('notifications.unsubscribe', { notificationId }, context)
  if ('fault' in outcome) throw new Error(outcome.message)
}

async function answer(
  { db }: Daybook,
  request: FastifyRequest,
  reply: FastifyReply,
  { id, entry, state }: Named & Pick<UnsubscribePage, 'state'>,
): Promise<void> {
  const site = (await findSite(db))?.site.name ?? ''
  const locale = localeOf(entry?.locale ?? '') ?? acceptedLocale(request)
  reply.hijack()
  send(reply.raw, {
    status: entry ? 200 : 404,
    headers,
    body: unsubscribePage({ locale, site, id, state: entry ? state : 'expired' }),
  })
}

function acceptedLocale({ headers: { 'accept-language': accepted = '' } }: FastifyRequest): Locale {
  const tags = accepted.split(',').map((part) => localeOf(part.split(';')[0]?.trim() ?? ''))
  return tags.find((locale) => locale !== undefined) ?? 'en'
}
