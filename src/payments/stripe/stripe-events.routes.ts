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
 * Stripe for the new state of the payment or dispute that the event concerns.
 */
export function receiveStripeEvents(fastify: FastifyInstance, sources: StripeEventSources): void {
  const { app, slots } = sources
  fastify.post(eventsPath, { config: { row: `POST ${eventsPath}`, open: true } }, async (request, reply) => {
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
    const signed = isSignedByStripe(body, header, { secrets: await sources.secrets(), now: app.now() })
    const event = signed ? eventOf(body) : undefined
    if (!event) return answer(400)
    const context = { ...workerContext('processor'), now: app.now(), requestId: request.id }
    const outcome = await app.perform('payments.event', event, context)
    // Stripe sends an event again unless the response has a 2xx status.
    return answer('ok' in outcome ? 200 : 503)
  })
}

/**
 * Returns the id and type of an event of Stripe, and the ids of the payment, charge and dispute that it concerns, each
 * null if absent; undefined for a body without id or type. Throws an error for a body that is not JSON.
 */
function eventOf(body: Uint8Array) {
  const event: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
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

function fieldOf(of: unknown, name: string): unknown {
  return typeof of === 'object' && of !== null && Object.hasOwn(of, name) ? Object(of)[name] : undefined
}

const maxLength = 255

function textOf(of: unknown, name: string): string | null {
  const value = fieldOf(of, name)
  return typeof value === 'string' && value !== '' && value.length <= maxLength ? value : null
}
