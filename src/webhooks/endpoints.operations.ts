import type { Operation, Tx } from '../db/perform/app.ts'
import { startConsumer, stopConsumer } from '../jobs/event-relay.ts'
import { cancelLane } from '../jobs/queue.ts'
import { message } from '../messages/message.ts'
import { refusal, wrongFields } from '../messages/refusal.ts'
import { cancelWaiting } from './deliveries.sql.ts'
import { consumerName, deliveryKind } from './delivery-kind.ts'
import { type DisabledBecause, shownEndpoint, type WebhookEndpoint } from './endpoint.ts'
import {
  clearFailures,
  deleteEndpoint,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  updateEndpoint,
} from './endpoints.sql.ts'
import { isSubscription } from './event-types.ts'
import { overlapSeconds } from './schedule.ts'
import { maxTemplateLength } from './template.ts'

/** The maximum number of endpoints of a site. */
const maxEndpoints = 200

/**
 * The settings of an endpoint that a user enters. The caller must have validated the URL, headers and template, and
 * must have encrypted the headers.
 */
interface EndpointSettings {
  readonly url: string
  readonly description: string
  readonly events: readonly string[]
  readonly headers: string
  readonly template: string | null
}

/** The input of `addEndpoint`: the settings of a new endpoint with its id and its signing secret. */
export interface AddEndpoint extends EndpointSettings {
  readonly id: string
  /**
   * The signing secret, encrypted by the caller, so that the input of the operation does not contain the plain secret.
   */
  readonly secret: string
}

/** Adds an endpoint, which receives events from now on. */
export const addEndpoint: Operation<AddEndpoint, { readonly id: string }> = async (tx, input) => {
  await tx.lock(['webhooks'])
  requireValid(input)
  const known = await listEndpoints(tx.db)
  if (known.length >= maxEndpoints) throw refusal('webhook_limit', { count: maxEndpoints })
  if (known.length === 0) await startConsumer(tx, consumerName)
  const { id, url, description, events, headers, template, secret } = input
  const endpoint: WebhookEndpoint = {
    ...{ id, url, description, events, headers, template, secret },
    ...{ payloadVersion: 'v1', previousSecret: null, previousUntil: null },
    ...{ enabled: true, disabledBecause: null, disabledAt: null, failingSince: null, lastSuccessAt: null },
    createdAt: tx.now,
  }
  await insertEndpoint(tx.db, endpoint)
  await tx.append({ type: 'webhook.created', objectId: id, object: shownEndpoint(endpoint), previous: null })
  return { id }
}

/** The input of `editEndpoint`: the id of an endpoint and its changed settings; an absent field is unchanged. */
export interface EditEndpoint extends Partial<EndpointSettings> {
  readonly id: string
  readonly enabled?: boolean
}

/**
 * Changes an endpoint. Disabling it cancels its waiting deliveries; enabling it or changing its URL clears the record
 * of earlier failures.
 */
export const editEndpoint: Operation<EditEndpoint, Record<never, never>> = async (tx, { id, enabled, ...change }) => {
  await tx.lock(['webhooks'])
  const before = await loadEndpoint(tx, id)
  requireValid(change)
  const after = { ...before, ...change }
  if (enabled === false && before.enabled) {
    await updateEndpoint(tx.db, after, tx.now)
    await disable(tx, after, 'user')
    return {}
  }
  const enables = enabled === true && !before.enabled
  // Another receiver must not be disabled because of the failures of the previous one.
  const isCleared = enables || after.url !== before.url
  const saved = {
    ...after,
    ...(enables && { enabled: true, disabledBecause: null, disabledAt: null }),
    ...(isCleared && { failingSince: null }),
  }
  await updateEndpoint(tx.db, saved, tx.now)
  if (isCleared) await clearFailures(tx.db, id)
  const [object, previous] = [shownEndpoint(saved), shownEndpoint(before)]
  await tx.append({ type: 'webhook.updated', objectId: id, object, previous })
  return {}
}

/** Removes an endpoint; its delivery log is no longer shown, and the sweep deletes it in batches. */
export const removeEndpoint: Operation<{ readonly id: string }, Record<never, never>> = async (tx, { id }) => {
  await tx.lock(['webhooks'])
  const endpoint = await loadEndpoint(tx, id)
  await cancelLane(tx, deliveryKind, id)
  await deleteEndpoint(tx.db, id)
  if ((await listEndpoints(tx.db)).length === 0) await stopConsumer(tx, consumerName)
  await tx.append({ type: 'webhook.removed', objectId: id, object: null, previous: shownEndpoint(endpoint) })
  return {}
}

/** Replaces the signing secret of an endpoint; the previous secret signs in addition for one day. */
export const rotateEndpointSecret: Operation<
  { readonly id: string; readonly secret: string },
  Record<never, never>
> = async (tx, { id, secret }) => {
  await tx.lock(['webhooks'])
  const endpoint = await loadEndpoint(tx, id)
  const previous = { previousSecret: endpoint.secret, previousUntil: tx.now + overlapSeconds }
  await updateEndpoint(tx.db, { ...endpoint, secret, ...previous }, tx.now)
  await tx.append({ type: 'webhook.secret_rotated', objectId: id, object: shownEndpoint(endpoint), previous: null })
  return {}
}

/** The fields of a webhook endpoint that are stored encrypted. */
export type SealedEndpoint = Pick<WebhookEndpoint, 'secret' | 'previousSecret' | 'headers'>

/**
 * Stores the secrets and headers of an endpoint encrypted with another key; does nothing when they have changed since
 * `from` was read.
 */
export const resealEndpoint: Operation<
  { readonly id: string; readonly from: SealedEndpoint; readonly to: SealedEndpoint },
  Record<never, never>
> = async (tx, { id, from, to }) => {
  await tx.lock(['webhooks'])
  const endpoint = await findEndpoint(tx.db, id)
  const names = ['secret', 'previousSecret', 'headers'] as const
  if (endpoint && names.every((name) => endpoint[name] === from[name])) {
    await updateEndpoint(tx.db, { ...endpoint, ...to }, tx.now)
  }
  return {}
}

/** Disables an endpoint and cancels its waiting deliveries. */
export async function disable(tx: Tx, endpoint: WebhookEndpoint, because: DisabledBecause): Promise<void> {
  const disabled = { ...endpoint, enabled: false, disabledBecause: because, disabledAt: tx.now }
  await updateEndpoint(tx.db, disabled, tx.now)
  await cancelWaiting(tx.db, { endpointId: endpoint.id }, tx.now)
  await cancelLane(tx, deliveryKind, endpoint.id)
  const [object, previous] = [shownEndpoint(disabled), shownEndpoint(endpoint)]
  await tx.append({ type: 'webhook.disabled', objectId: endpoint.id, object, previous })
}

/** Returns the endpoint with this id; refuses an unknown id. */
export async function loadEndpoint(tx: Pick<Tx, 'db'>, id: string): Promise<WebhookEndpoint> {
  const endpoint = await findEndpoint(tx.db, id)
  if (!endpoint) throw refusal('webhook_not_found')
  return endpoint
}

function requireValid({ events, template }: Partial<EndpointSettings>): void {
  if (events && (events.length === 0 || !events.every(isSubscription)))
    throw wrongFields({ events: message('webhook_events_unknown') })
  if (typeof template === 'string' && template.length > maxTemplateLength)
    throw wrongFields({ template: message('webhook_template_too_long', { count: maxTemplateLength }) })
}
