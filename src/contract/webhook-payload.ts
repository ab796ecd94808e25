import type { TSchema } from 'typebox'
import { kindOf } from '../history/event.ts'
import { webhookEvents, webhookEventTypes } from '../webhooks/event-types.ts'
import * as field from './fields.ts'
import * as resources from './resources.ts'
import { Type } from './schema.ts'

type Json = Readonly<Record<string, unknown>>

const anything = Type.Unsafe<Json>({ type: 'object', additionalProperties: true })
const changed =
  'the changed appointments and times off; null without a bound. Slots that overlap them, also with their buffers, and slots of the same day or week, because of limits, may have changed as well'
const objects: Readonly<Record<string, TSchema>> = {
  reservation: resources.reservation,
  customer: Type.Object({ id: Type.String() }, { additionalProperties: true }),
  availability: Type.Object({
    providerIds: field.orNull(Type.Array(Type.Integer(), { description: 'null for all' })),
    serviceIds: field.orNull(
      Type.Array(Type.String(), { description: 'null for all, as a change concerns every service of its providers' }),
    ),
    from: field.orNull(Type.Integer({ description: `The earliest start of ${changed}` })),
    until: field.orNull(Type.Integer({ description: `The latest end of ${changed}` })),
  }),
  webhook: Type.Object({ webhookId: Type.String(), description: Type.String() }),
}

/** Returns the JSON Schema of the payload of one type of event. */
export function payloadSchema(type: keyof typeof webhookEvents): Json {
  const object = plain(objects[kindOf(type)] ?? anything)
  const state = { anyOf: [object, { type: 'null' }] }
  return {
    type: 'object',
    description: webhookEvents[type],
    required: ['id', 'type', 'seq', 'objectId', 'createdAt', 'apiVersion', 'data'],
    properties: {
      id: { type: 'string', description: 'The webhook-id, the same for every attempt' },
      type: { const: type },
      seq: { type: 'string', description: 'Sorts as text in the order of the event feed' },
      objectId: { type: 'string', description: 'The id of what changed, also after its erasure' },
      createdAt: { type: 'integer', description: 'Unix timestamp in seconds' },
      apiVersion: { const: 'v1' },
      data: {
        type: 'object',
        required: ['object', 'previous'],
        properties: {
          object: { ...state, description: 'The state after the event; null when removed or erased' },
          previous: { ...state, description: 'The state before the event; null when new or erased' },
        },
      },
    },
  }
}

/** Returns a schema without the keywords `addition` and `reads`, which are not part of JSON Schema. */
function plain(schema: TSchema): Json {
  return JSON.parse(JSON.stringify(schema, (key, value) => (key === 'addition' || key === 'reads' ? undefined : value)))
}

/** Returns the JSON Schema of all payloads of webhooks, published as `docs/webhooks.schema.json`. */
export function payloadDocument(): string {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Payload of a Daybook webhook',
    oneOf: webhookEventTypes.map(payloadSchema),
  }
  return `${JSON.stringify(schema, null, 2)}\n`
}

/** Returns the `webhooks` section of the OpenAPI document. */
export function webhookSection(): Json {
  const entries = webhookEventTypes.map((type) => [
    type,
    {
      post: {
        operationId: `webhook.${type}`,
        summary: webhookEvents[type],
        parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
          name,
          in: 'header',
          required: true,
          schema: { type: 'string' },
          description: 'See Standard Webhooks 1.0.0',
        })),
        requestBody: { required: true, content: { 'application/json': { schema: payloadSchema(type) } } },
        responses: {
          '2XX': { description: 'Delivered; any other answer is retried' },
          '410': { description: 'Disables the webhook' },
        },
        security: [],
      },
    },
  ])
  return Object.fromEntries(entries)
}
