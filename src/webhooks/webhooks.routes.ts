import type { PanelContext } from '../access/sessions/panel-session.routes.ts'
import type { webhookRoutes } from '../contract/panel/webhooks.ts'
import { encrypt, findDecrypted, type KeyRing } from '../encryption.ts'
import type { Handlers } from '../http/call.ts'
import type { OutboundClient } from '../http/outbound/outbound-client.ts'
import { newId } from '../ids.ts'
import { message } from '../messages/message.ts'
import { type Details, refusal, wrongFields } from '../messages/refusal.ts'
import type { Operations } from '../operations.ts'
import { listAttempts } from './attempts.sql.ts'
import type { Redelivered } from './deliveries.operations.ts'
import {
  type Delivery,
  type DeliveryPosition,
  findCursorBefore,
  findDeliveryWithEvent,
  pageDeliveries,
} from './deliveries.sql.ts'
import { headersPlace, payloadOfDelivery, secretPlace } from './delivery.job.ts'
import { type WebhookEndpoint, wrongHeaders } from './endpoint.ts'
import { listEndpoints } from './endpoints.sql.ts'
import { isSubscribed, webhookEventTypes } from './event-types.ts'
import { samplePayload } from './samples.ts'
import { newWebhookSecret } from './signature.ts'
import { renderTemplate } from './template.ts'

/** The dependencies of the handlers of webhooks. */
export interface WebhookContext extends Pick<PanelContext, 'app' | 'findKey'> {
  readonly outbound: Pick<OutboundClient, 'accepts'>
}

// The maximum number of batches, of at most 500 deliveries each, that one filtered redelivery sends.
const maxParts = 100

/**
 * Returns the handlers of the panel's routes that manage webhook endpoints, preview templates, list and resend
 * deliveries, and replay past events to an endpoint.
 */
export function webhookHandlers({
  app,
  findKey,
  outbound,
}: WebhookContext): Handlers<typeof webhookRoutes, Operations> {
  const { db } = app
  const keys = async (): Promise<KeyRing> => {
    const found = await findKey()
    if (!found) throw refusal('secret_key_missing')
    return found
  }
  return {
    'GET /webhooks/': async () => {
      const ring = await findKey()
      return { all: (await listEndpoints(db)).map((endpoint) => shownWebhook(endpoint, ring)) }
    },

    'POST /webhooks/add/': async ({ body, perform }) => {
      const ring = await keys()
      const { url, events, description = '', headers = [], template = null } = body
      await requireSendable(outbound, { url, headers, template, events })
      const id = newId('webhook')
      const secret = newWebhookSecret()
      await perform('webhooks.add', {
        ...{ id, url, description, events, template },
        headers: sealedHeaders(ring, id, headers),
        secret: encrypt(ring, secret, secretPlace(id)),
      })
      return { id, secret }
    },

    'POST /webhooks/edit/': async ({ body, perform }) => {
      const { headers, ...change } = body
      const known = (await listEndpoints(db)).find(({ id }) => id === body.id)
      // The stored template must be valid for the new events too.
      const stored = body.events && known && { template: known.template }
      await requireSendable(outbound, { ...stored, ...body, events: body.events ?? known?.events ?? [] })
      const sealed = headers && { headers: sealedHeaders(await keys(), body.id, headers) }
      await perform('webhooks.edit', { ...change, ...sealed })
      return {}
    },

    'POST /webhooks/remove/': async ({ body, perform }) => {
      await perform('webhooks.remove', body)
      return {}
    },

    'POST /webhooks/rotate/': async ({ body: { id }, perform }) => {
      const secret = newWebhookSecret()
      await perform('webhooks.rotate', { id, secret: encrypt(await keys(), secret, secretPlace(id)) })
      return { id, secret }
    },

    'POST /webhooks/test/': ({ body, perform }) => perform('webhooks.test', body),

    'POST /webhooks/preview/': async ({ body: { template, type } }) => {
      const known = webhookEventTypes.find((one) => one === type) ?? 'reservation.created'
      return { body: await renderTemplate(template, samplePayload(known)).catch(refuseTemplate) }
    },

    'GET /webhooks/deliveries/': async ({ query, paging }) => {
      const { page, total } = await pageDeliveries(db, query, paging)
      return { page: page.map(shownDelivery), total }
    },

    'GET /webhooks/deliveries/one/': async ({ query: { id } }) => {
      const found = await findDeliveryWithEvent(db, id)
      if (!found) throw refusal('delivery_not_found')
      const payload = JSON.stringify(payloadOfDelivery(found), null, 2)
      return { ...shownDelivery(found.delivery), payload, tries: await listAttempts(db, id) }
    },

    'POST /webhooks/redeliver/': async ({ body, perform }) => {
      if (!body.ids && body.endpointId === undefined) throw refusal('webhook_not_found')
      let total = 0
      let after: DeliveryPosition | null = null
      let parts = 0
      do {
        const done: Redelivered = await perform('webhooks.redeliver', { ...body, ...(after && { after }) })
        total += done.count
        after = done.next
        parts += 1
      } while (after && parts < maxParts)
      return { count: total }
    },

    'POST /webhooks/replay/': async ({ body: { id, since }, perform }) => {
      await perform('webhooks.replay.begin', { endpointId: id, after: await findCursorBefore(db, since) })
      return {}
    },
  }
}

interface Sendable {
  readonly url?: string
  readonly headers?: readonly { readonly name: string; readonly value: string }[]
  readonly template?: string | null
  readonly events: readonly string[]
}

async function requireSendable(outbound: WebhookContext['outbound'], wanted: Sendable): Promise<void> {
  const { url, headers = [], template, events } = wanted
  const names = wrongHeaders(Object.fromEntries(headers.map(({ name, value }) => [name, value])))
  const faults: Details = {
    ...(url !== undefined && !outbound.accepts(url) && { url: message('webhook_url_wrong') }),
    ...(names.length > 0 && { headers: message('webhook_headers_wrong', { names }) }),
  }
  if (Object.keys(faults).length > 0) throw wrongFields(faults)
  if (typeof template !== 'string') return
  // The template is rendered for an example payload of every event type that the endpoint receives, so that a template
  // that fails for one of them is refused.
  for (const type of webhookEventTypes.filter((one) => isSubscribed(events, one) || one === 'webhook.test'))
    await renderTemplate(template, samplePayload(type)).catch(refuseTemplate)
}

function refuseTemplate(error: unknown): never {
  const text = error instanceof Error ? error.message : String(error)
  throw wrongFields({ template: message('webhook_template_wrong', { text }) })
}

function sealedHeaders(ring: KeyRing, id: string, headers: NonNullable<Sendable['headers']>): string {
  const values = Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value]))
  return encrypt(ring, JSON.stringify(values), headersPlace(id))
}

function shownWebhook(endpoint: WebhookEndpoint, ring: KeyRing | undefined) {
  const { id, url, description, events, template, payloadVersion, enabled, disabledBecause } = endpoint
  const { disabledAt, failingSince, lastSuccessAt, previousUntil, createdAt } = endpoint
  // Headers that were encrypted with a key that is lost are not shown, so that they can be entered again.
  const headers = JSON.parse((ring && findDecrypted(ring, endpoint.headers, headersPlace(id))) ?? '{}')
  return {
    ...{ id, url, description, events, template, payloadVersion, enabled, disabledBecause },
    ...{ disabledAt, failingSince, lastSuccessAt, createdAt, previousSecretUntil: previousUntil },
    headerNames: Object.keys(headers),
  }
}

function shownDelivery({ payload: _, ...delivery }: Delivery) {
  return delivery
}
