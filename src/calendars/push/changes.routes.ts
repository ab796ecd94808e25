import type { FastifyInstance, FastifyReply } from 'fastify'
import { workerContext } from '../../db/perform/worker-context.ts'
import type { AdmissionSlots } from '../../http/bind.ts'
import { sendOverloaded } from '../../http/load/admission.ts'
import { createThrottle } from '../../http/load/throttle.ts'
import { networkOf } from '../../http/network.ts'
import { readBytes } from '../../http/request/body.ts'
import { send } from '../../http/response/response.ts'
import type { Daybook } from '../../operations.ts'
import { changesPath } from './watch.ts'
import { hashWatchSecret } from './watches.operations.ts'
import { findWatchByHash } from './watches.sql.ts'

const maxBytes = 256 * 1024
/** The maximum number of secrets that are processed per notification; further secrets are ignored. */
const maxReports = 500
const reportsPerMinute = 6_000

/** The dependencies of the endpoints for notifications of calendar changes. */
export interface ChangeSources {
  readonly app: Daybook
  readonly slots: AdmissionSlots
}

/**
 * Registers the routes at which calendar systems report that calendars have changed. A notification is accepted when it
 * contains the secret of a watch (a request for notifications). What has changed is not taken from the notification; a
 * job reads the calendar.
 */
export function receiveCalendarChanges(fastify: FastifyInstance, sources: ChangeSources): void {
  const { app } = sources
  const throttle = createThrottle()
  const isAllowed = (ip: string): boolean => throttle.count(networkOf(ip), reportsPerMinute, app.now()).allowed
  const google = `${changesPath}/google`
  fastify.post(google, { config: { row: `POST ${google}`, open: true } }, async (request, reply) => {
    if (!isAllowed(request.ip)) return answer(reply, 429)
    const secret = request.headers['x-goog-channel-token']
    return answer(reply, await received(app, [String(secret ?? '')], request.id))
  })
  const microsoft = `${changesPath}/microsoft`
  fastify.post(microsoft, { config: { row: `POST ${microsoft}`, open: true } }, async (request, reply) => {
    if (!isAllowed(request.ip)) return answer(reply, 429)
    const token = validationToken(request.raw.url ?? '')
    // Microsoft 365 validates the endpoint by a token that the response must repeat.
    if (token !== undefined) return answer(reply, 200, token)
    // While its body arrives, the request does not count towards the limit on concurrent requests, so that a slow
    // sender does not block others.
    sources.slots.suspend(reply.raw)
    const body = await readBytes(request.raw, maxBytes)
    if (!sources.slots.resume(reply.raw)) {
      reply.hijack()
      return sendOverloaded(reply.raw, request.id, undefined)
    }
    return answer(reply, await received(app, secretsOf(body), request.id))
  })
}

/**
 * Queues the reading of the calendars whose watches have the given secrets. Returns the status of the response: 202;
 * 404 when no secret belongs to a watch; or 503 when the operation fails.
 */
async function received(app: Daybook, secrets: readonly string[], requestId: string): Promise<number> {
  const hashes = [...new Set(secrets)].slice(0, maxReports).map(hashWatchSecret)
  const known: string[] = []
  for (const hash of hashes) if (await findWatchByHash(app.db, hash)) known.push(hash)
  if (known.length === 0) return 404
  const context = { ...workerContext('calendars'), now: app.now(), requestId }
  const outcome = await app.perform('calendars.changed', { secretHashes: known }, context)
  return 'ok' in outcome ? 202 : 503
}

function validationToken(target: string): string | undefined {
  const [, query = ''] = target.split('?', 2)
  const token = new URLSearchParams(query).get('validationToken')
  return token !== null && token !== '' && token.length <= 1_000 ? token : undefined
}

/** Returns the secrets in a notification of Microsoft 365; none when the body is not a notification. */
function secretsOf(body: Uint8Array): string[] {
  let report: unknown
  try {
    report = JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return []
  }
  const { value } = Object(report)
  const items: unknown[] = Array.isArray(value) ? value : []
  return items.flatMap((item) => {
    const { clientState } = Object(item)
    return typeof clientState === 'string' && clientState !== '' ? clientState : []
  })
}

function answer(reply: FastifyReply, status: number, body = ''): void {
  reply.hijack()
  send(reply.raw, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body })
}
