import { anyValue, type PanelContract } from '../endpoint.ts'
import { calendarInstant, oneOf, orNull, typed } from '../fields.ts'
import { Type } from '../schema.ts'
import { admins, none, nothing, paging } from './row.ts'

const id = Type.String()
const url = typed(2_000, { minLength: 1, description: 'URL that receives the events by POST; https' })
const description = typed(200)
const events = Type.Array(Type.String({ maxLength: 100 }), {
  maxItems: 50,
  description: 'Event types, kinds such as reservation.*, or *',
})
const headers = Type.Array(
  Type.Object(
    { name: Type.String({ maxLength: 100 }), value: Type.String({ maxLength: 1_000 }) },
    { additionalProperties: false },
  ),
  { maxItems: 20, description: 'Sent with every delivery; the values are not shown again' },
)
const template = orNull(
  Type.String({ maxLength: 100_000, description: 'LiquidJS template of the body; null sends the payload' }),
)
const secret = Type.Object({ id, secret: Type.String({ description: 'Returned only once' }) })
const count = Type.Integer({ minimum: 0 })
const state = oneOf<'waiting' | 'delivered' | 'failed' | 'cancelled'>({
  waiting: true,
  delivered: true,
  failed: true,
  cancelled: true,
})
const texts = Type.Unsafe<Readonly<Record<string, string>>>({
  type: 'object',
  additionalProperties: { type: 'string' },
})

const webhook = Type.Object({
  id,
  url: Type.String(),
  description: Type.String(),
  events: Type.Array(Type.String()),
  headerNames: Type.Array(Type.String()),
  template: orNull(Type.String()),
  payloadVersion: Type.String(),
  enabled: Type.Boolean(),
  disabledBecause: orNull(oneOf<'user' | 'gone' | 'failing'>({ user: true, gone: true, failing: true })),
  disabledAt: orNull(calendarInstant),
  failingSince: orNull(calendarInstant),
  lastSuccessAt: orNull(calendarInstant),
  previousSecretUntil: orNull(calendarInstant),
  createdAt: calendarInstant,
})

const delivery = Type.Object({
  id,
  endpointId: Type.String(),
  eventId: Type.String({ description: 'The webhook-id, the same for every attempt' }),
  seq: Type.String(),
  type: Type.String(),
  objectId: Type.String(),
  state,
  attempts: count,
  nextAt: orNull(calendarInstant),
  lastStatus: orNull(Type.Integer()),
  lastError: orNull(Type.String()),
  createdAt: calendarInstant,
  finishedAt: orNull(calendarInstant),
})

const filter = {
  endpointId: Type.Optional(id),
  state: Type.Optional(state),
  type: Type.Optional(Type.String({ maxLength: 100 })),
  from: Type.Optional(calendarInstant),
  until: Type.Optional(calendarInstant),
}

/** The routes of webhooks, such as those that list, add, change and test them, and show and repeat their deliveries. */
export const webhookRoutes = {
  'GET /webhooks/': {
    summary: 'List webhooks by creation; secrets and values of extra headers are not shown',
    admits: admins,
    query: Type.Object({ ...paging }),
    body: null,
    envelope: 'list',
    returns: webhook,
    ok: 200,
  },
  'POST /webhooks/add/': {
    summary: 'Add a webhook, which receives the events from now on; its secret is returned only once',
    admits: admins,
    fresh: true,
    query: none,
    body: Type.Object({
      url,
      description: Type.Optional(description),
      events,
      headers: Type.Optional(headers),
      template: Type.Optional(template),
    }),
    envelope: 'response',
    returns: secret,
    ok: 200,
    once: true,
  },
  'POST /webhooks/edit/': {
    summary: 'Change, enable or disable a webhook; disabling cancels its waiting deliveries',
    admits: admins,
    fresh: { url: anyValue, headers: anyValue, template: anyValue },
    query: none,
    body: Type.Object({
      id,
      url: Type.Optional(url),
      description: Type.Optional(description),
      events: Type.Optional(events),
      headers: Type.Optional(headers),
      template: Type.Optional(template),
      enabled: Type.Optional(Type.Boolean()),
    }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /webhooks/remove/': {
    summary: 'Remove a webhook with its delivery log',
    admits: admins,
    query: none,
    body: Type.Object({ id }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /webhooks/rotate/': {
    summary: 'Replace the secret of a webhook; the previous one signs as well for a day',
    admits: admins,
    fresh: true,
    query: none,
    body: Type.Object({ id }),
    envelope: 'response',
    returns: secret,
    ok: 200,
    once: true,
  },
  'POST /webhooks/test/': {
    summary: 'Send a test event to a webhook',
    admits: admins,
    query: none,
    body: Type.Object({ id }),
    envelope: 'response',
    returns: Type.Object({ deliveryId: Type.String() }),
    ok: 200,
  },
  'POST /webhooks/preview/': {
    summary: 'Render a template for an example of an event',
    admits: admins,
    query: none,
    body: Type.Object({ template: Type.String({ maxLength: 100_000 }), type: Type.String({ maxLength: 100 }) }),
    envelope: 'response',
    returns: Type.Object({ body: Type.String() }),
    ok: 200,
  },
  'GET /webhooks/deliveries/': {
    summary: 'List deliveries, the newest first; a total of 10,001 means more than that',
    admits: admins,
    query: Type.Object({
      ...filter,
      search: Type.Optional(typed(200, { description: 'The id of a delivery, an event or an object' })),
      ...paging,
    }),
    body: null,
    envelope: 'list',
    returns: delivery,
    ok: 200,
  },
  'GET /webhooks/deliveries/one/': {
    summary: 'Show a delivery with its payload and its attempts',
    admits: admins,
    query: Type.Object({ id }),
    body: null,
    envelope: 'response',
    returns: Type.Object({
      ...delivery.properties,
      payload: Type.String({ description: 'JSON; without personal data that was erased since' }),
      tries: Type.Array(
        Type.Object({
          at: calendarInstant,
          milliseconds: count,
          status: orNull(Type.Integer()),
          error: orNull(Type.String()),
          requestHeaders: texts,
          responseHeaders: texts,
          response: orNull(Type.String({ description: 'Its first 4,096 characters' })),
        }),
      ),
    }),
    ok: 200,
    namedInQuery: true,
  },
  'POST /webhooks/redeliver/': {
    summary: 'Send deliveries again: those named, or the finished ones of a webhook that match a filter',
    admits: admins,
    query: none,
    body: Type.Object({ ids: Type.Optional(Type.Array(id, { maxItems: 500 })), ...filter }),
    envelope: 'response',
    returns: Type.Object({ count }),
    ok: 200,
  },
  'POST /webhooks/replay/': {
    summary: 'Send every event again that a webhook subscribes to, from an instant to the present, in the background',
    admits: admins,
    query: none,
    body: Type.Object({ id, since: calendarInstant }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
} as const satisfies PanelContract
