import type { FastifyInstance } from 'fastify'
import { workerContext } from '../../db/perform/worker-context.ts'
import type { AdmissionSlots } from '../../http/bind.ts'
import { sendOverloaded } from '../../http/load/admission.ts'
import { readBytes } from '../../http/request/body.ts'
import { send } from '../../http/response/response.ts'
import type { Daybook } from '../../operations.ts'
import { eventsPath } from '../processor.ts'
import { isSignedByStripe } from './stripe-signature.operations.ts'

const maxBytes = 256 * 1024

/** The dependencies of the route that receives the events of Stripe. */
export interface StripeEventSources {
  readonly app: Daybook
  readonly slots: AdmissionSlots
  /** Returns the secrets that sign events; empty when there are none, or when they cannot be decrypted. */
  secrets(): Promise<readonly string[]>
}

/**
 * Adds the route that receives the events of Stripe. A request without a valid signature changes nothing, and neither
 * does an event that was received before. For a new event, the response is sent once the event is stored; a job asks
 * Stripe for the new state of the payment or dispute that the event concerns. A signed event that cannot be read is
 * logged and acknowledged; after a fault, Stripe is asked by a 503 to send the event again.
 */
export function receiveStripeEvents(fastify: FastifyInstance, sources: StripeEventSources): void {
  const { app, slots } = sources
  const route = `POST ${eventsPath}`
  fastify.post(eventsPath, { config: { row: route, open: true } }, async (request, reply) => {
    const { raw } = request
    const answer = (status: number) => {
      reply.hijack()
      send(reply.raw, { status, headers: { 'Content-Type': 'text/plain' }, body: '' })
    }
    if (Number(raw.headers['content-length'] ?? 0) > maxBytes) {
      reply.raw.once('finish', () => raw.destroy())
      return answer(413)
    }
    // While the body arrives, the request gives up its admission slot (the slots limit how many requests are handled at
    // once), because a slow sender must not hold one.
    slots.suspend(reply.raw)
    const body = await readBytes(raw, maxBytes)
    if (!slots.resume(reply.raw)) {
      reply.hijack()
      return sendOverloaded(reply.raw, request.id, undefined)
    }
    const header = String(raw.headers['stripe-signature'] ?? '')
    const secrets = await sources.secrets()
    if (!isSignedByStripe(body, header, { secrets, now: app.now() })) return answer(400)
    // Stripe sends an event again, for days, unless the response has a 2xx status. What is unreadable or refused now is
    // so at every delivery. The log does not contain the event, which may have personal data.
    const event = eventOf(body)
    if (!event) {
      app.log.warn({ requestId: request.id, route }, 'an event of the payment processor is unreadable')
      return answer(200)
    }
    const context = { ...workerContext('processor'), now: app.now(), requestId: request.id }
    const outcome = await app.perform('payments.event', event, context)
    if ('ok' in outcome) return answer(200)
    if ('refused' in outcome) {
      const { code } = outcome.refused
      app.log.warn({ requestId: request.id, route, code }, 'an event of the payment processor was refused')
      return answer(200)
    }
    app.log.error({ requestId: request.id, route, fault: outcome.message }, 'fault')
    return answer(503)
  })
}

/**
 * Returns the id and type of an event of Stripe, and the ids of the payment, charge and dispute that it concerns, each
 * null if absent; undefined for a body that is not JSON, or has no id or type.
 */
function eventOf(body: Uint8Array) {
  const event = jsonOf(body)
  const [id, type, data] = [textOf(event, 'id'), textOf(event, 'type'), fieldOf(event, 'data')]
  if (id === null || type === null) return undefined
  const object = fieldOf(data, 'object')
  const paymentId = textOf(fieldOf(object, 'metadata'), 'payment')
  const [kind, own] = [textOf(object, 'object'), textOf(object, 'id')]
  return {
    eventId: id,
    type,
    paymentId,
    chargeId: kind === 'payment_intent' ? own : textOf(object, 'payment_intent'),
    disputeId: kind === 'dispute' ? own : null,
  }
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return undefined
  }
}

function fieldOf(of: unknown, name: string): unknown {
  return typeof of === 'object' && of !== null && Object.hasOwn(of, name) ? Object(of)[name] : undefined
}

const maxLength = 255

function textOf(of: unknown, name: string): string | null {
  const value = fieldOf(of, name)
  // No id contains NUL, which PostgreSQL cannot store.
  const isText = typeof value === 'string' && value !== '' && !value.includes('\0')
  return isText && value.length <= maxLength ? value : null
}
