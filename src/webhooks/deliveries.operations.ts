import { loadCatalogue } from '../catalogue/catalogue.sql.ts'
import { type Cursor, parseSeq, toSeq } from '../db/log/event-log.ts'
import type { Operation, Tx } from '../db/perform/app.ts'
import { feedKinds, type LoggedEvent } from '../history/event.ts'
import { type EventConsumer, findPosition } from '../jobs/event-relay.ts'
import type { JobLease } from '../jobs/job.ts'
import { enqueue, settleJob } from '../jobs/queue.ts'
import { message } from '../messages/message.ts'
import { Refusal } from '../messages/refusal.ts'
import { type Attempt, clearErasedResponses, insertAttempt } from './attempts.sql.ts'
import {
  cancelWaiting,
  type Delivery,
  type DeliveryFilter,
  type DeliveryPosition,
  insertDeliveries,
  listDeliveries,
  listDeliveryIds,
  listEventsBetween,
  listFinished,
  restartDeliveries,
  updateDelivery,
} from './deliveries.sql.ts'
import { availabilityKey, availabilityKind, consumerName, deliveryKind, replayKind } from './delivery-kind.ts'
import { shownEndpoint, type WebhookEndpoint } from './endpoint.ts'
import { disable, loadEndpoint } from './endpoints.operations.ts'
import {
  type AttemptedEndpoint,
  findEndpoint,
  listEndpoints,
  markReported,
  recordFailure,
  recordSuccess,
} from './endpoints.sql.ts'
import { isSubscribed } from './event-types.ts'
import { availabilityScope, changesAvailability, unlimitedScope, type WebhookPayload } from './payload.ts'
import { type AttemptOutcome, failingSeconds, reportedSeconds } from './schedule.ts'

/**
 * The kinds of events from which deliveries are created: the kinds that endpoints receive, and the kinds that change
 * availability.
 */
const relayedKinds: readonly string[] = [...feedKinds, 'token', 'time_off', 'site']

// Changes of availability within this many seconds are reported as one event.
const coalesceSeconds = 5
const replayedAtOnce = 500
// The number of events from which a report of changed availability names no providers and no time: on SQLite bookings
// wait while the events are read.
const comparedAtOnce = 1_000

/**
 * Creates a delivery for each event and enabled endpoint that subscribes to it, and enqueues the report of changed
 * availability. `relayOperation` advances the position of this consumer in the event log in the same transaction, so no
 * delivery is missing or duplicated.
 */
export const relayToWebhooks: EventConsumer = async (tx, events) => {
  const endpoints = (await listLocked(tx)).filter(({ enabled }) => enabled)
  const deliveries = endpoints.flatMap((endpoint) =>
    events.filter(({ type }) => isSubscribed(endpoint.events, type)).map((event) => deliveryOf(tx, endpoint, event)),
  )
  await send(tx, deliveries)
  const changing = events.find(({ type }) => changesAvailability(type))
  if (changing) await reportAvailabilitySoon(tx, endpoints, changing.seq)
  if (events.some(({ type }) => type === 'customer.erased')) await clearErasedResponses(tx.db)
}

/**
 * Returns all endpoints; until the transaction ends, no endpoint is disabled or removed. Otherwise, a transaction that
 * disables an endpoint would not cancel the deliveries that this one creates, because it does not see them yet.
 */
async function listLocked(tx: Tx): Promise<WebhookEndpoint[]> {
  await tx.lock(['webhooks'])
  return listEndpoints(tx.db)
}

function deliveryOf(
  tx: Tx,
  endpoint: Pick<WebhookEndpoint, 'id'>,
  event: SentEvent,
  payload?: WebhookPayload,
): Delivery {
  return {
    id: tx.newId('delivery'),
    endpointId: endpoint.id,
    ...{ eventId: event.id, seq: event.seq, type: event.type, objectId: event.objectId },
    payload: payload ? JSON.stringify(payload) : null,
    ...{ state: 'waiting', attempts: 0, nextAt: tx.now, lastStatus: null, lastError: null },
    ...{ createdAt: tx.now, finishedAt: null },
  }
}

type SentEvent = Pick<LoggedEvent, 'id' | 'seq' | 'objectId'> & { readonly type: string }

/** Stores deliveries with the jobs that send them. */
async function send(tx: Tx, deliveries: readonly Delivery[]): Promise<void> {
  await insertDeliveries(tx.db, deliveries)
  await enqueueDeliveries(tx, deliveries)
}

function enqueueDeliveries(tx: Tx, deliveries: readonly Pick<Delivery, 'id' | 'endpointId'>[]): Promise<void> {
  return enqueue(
    tx,
    deliveries.map(({ id, endpointId }) => ({ kind: deliveryKind, key: id, lane: endpointId })),
  )
}

async function reportAvailabilitySoon(tx: Tx, endpoints: readonly WebhookEndpoint[], from: string): Promise<void> {
  if (!endpoints.some(({ events }) => isSubscribed(events, 'availability.changed'))) return
  const waiting = await tx.db.build
    .selectFrom('job')
    .select('id')
    .where('kind', '=', availabilityKind)
    .where('unique_key', '=', availabilityKey)
    .where('state', '=', 'due')
    .executeTakeFirst()
  if (waiting) return
  await enqueue(tx, [
    { kind: availabilityKind, key: availabilityKey, runAt: tx.now + coalesceSeconds, payload: { from } },
  ])
}

/**
 * Creates one delivery of `availability.changed` for each enabled endpoint that subscribes to it. The delivery covers
 * all changes from the event `from`, inclusive, to the current position of the webhook consumer in the event log.
 */
export const reportAvailability: Operation<
  { readonly from: string; readonly lease: JobLease },
  Record<never, never>
> = async (tx, { from, lease }) => {
  // Relaying enqueues no further job while this one is due. The lock waits for a relaying transaction that relied on
  // this job, so that the position read below includes the events of that transaction.
  await tx.lock([`event-consumer:${consumerName}`, 'webhooks'])
  if (!(await settleJob(tx, lease, { kind: 'done' }))) return {}
  const until = await findPosition(tx.db, consumerName)
  const first = parseSeq(from)
  if (!until || !first) return {}
  const after = { ...first, n: first.n - 1 }
  const events = await listEventsBetween(tx.db, { after, until, kinds: relayedKinds, limit: comparedAtOnce })
  const { services } = await loadCatalogue(tx.db)
  const scope = events.length < comparedAtOnce ? availabilityScope(events, services) : unlimitedScope
  if (!scope) return {}
  const endpoints = await listEndpoints(tx.db)
  const event = { id: tx.newId('event'), seq: toSeq(until), type: 'availability.changed', objectId: 'site' }
  const subscribed = endpoints.filter(({ enabled, events }) => enabled && isSubscribed(events, event.type))
  const payload = ownPayload(tx, event, { ...scope })
  await send(
    tx,
    subscribed.map((endpoint) => deliveryOf(tx, endpoint, event, payload)),
  )
  return {}
}

function ownPayload(tx: Tx, event: SentEvent, object: Readonly<Record<string, unknown>>): WebhookPayload {
  const { id, type, seq, objectId } = event
  return { id, type, seq, objectId, createdAt: tx.now, apiVersion: 'v1', data: { object, previous: null } }
}

/** Sends a test event to an endpoint, whether or not the endpoint subscribes to it; refuses a disabled endpoint. */
export const sendTestEvent: Operation<{ readonly id: string }, { readonly deliveryId: string }> = async (
  tx,
  { id },
) => {
  const endpoint = await loadEnabled(tx, id)
  const cursor = (await findPosition(tx.db, consumerName)) ?? { tx: 0, n: 0 }
  const event = { id: tx.newId('event'), seq: toSeq(cursor), type: 'webhook.test', objectId: endpoint.id }
  const object = { webhookId: endpoint.id, description: endpoint.description }
  const delivery = deliveryOf(tx, endpoint, event, ownPayload(tx, event, object))
  await send(tx, [delivery])
  return { deliveryId: delivery.id }
}

async function loadEnabled(tx: Tx, id: string): Promise<WebhookEndpoint> {
  await tx.lock(['webhooks'])
  const endpoint = await loadEndpoint(tx, id)
  if (!endpoint.enabled) throw new Refusal({ code: 'webhook_disabled', message: message('webhook_disabled') })
  return endpoint
}

/**
 * The input of `recordAttempt`: one attempt at a delivery, the URL to which it was sent, what follows from it (such as
 * a retry), and the lease of the job that made it.
 */
export interface Attempted {
  readonly deliveryId: string
  readonly url: string
  readonly lease: JobLease
  readonly attempt: Attempt
  readonly verdict: AttemptOutcome
}

/**
 * Records an attempt at a delivery, and ends its job or schedules the next attempt, in one transaction. If the run no
 * longer holds the lease of its job, only the attempt is recorded. A delivery that was restarted during a failed
 * attempt remains due. The endpoint is disabled by a response 410, or by a failure at least five days after the first
 * failure since the last success. An attempt to a URL that was changed in the meantime does not count for the endpoint.
 */
export const recordAttempt: Operation<Attempted, Record<never, never>> = async (tx, input) => {
  const { deliveryId, url, lease, attempt, verdict } = input
  const [delivery] = await listDeliveries(tx.db, [deliveryId])
  if (!delivery) return {}
  const why = attempt.error ?? `HTTP ${attempt.status}`
  const attempted = { id: delivery.endpointId, url }
  // The key `webhooks` is locked before any row is written, in the same order as in the operations that users call, to
  // prevent deadlocks.
  const mayDisable = verdict.kind !== 'delivered' && isDisabledBy(verdict, await findAttempted(tx, attempted), tx.now)
  if (mayDisable) await tx.lock(['webhooks'])
  const held = await settleJob(
    tx,
    lease,
    verdict.kind === 'retry' ? { kind: 'retry', runAt: verdict.at, why } : { kind: 'done' },
  )
  await insertAttempt(tx.db, tx.newId('attempt'), { ...attempt, delivery })
  if (!held) return {}
  // On PostgreSQL the delivery may have been restarted after it was read above.
  const isRestarted = held === 'replaced' && verdict.kind !== 'delivered'
  await updateDelivery(tx.db, deliveryId, {
    ...(!isRestarted && stateAfter(verdict, delivery, tx.now)),
    lastStatus: attempt.status,
    lastError: verdict.kind === 'delivered' ? null : why,
  })
  if (verdict.kind === 'delivered') await recordSuccess(tx.db, attempted, tx.now)
  else await countFailure(tx, attempted, { verdict, mayDisable })
  return {}
}

/** Returns the endpoint of an attempt; undefined when it was removed or has another URL by now. */
async function findAttempted(tx: Tx, { id, url }: AttemptedEndpoint): Promise<WebhookEndpoint | undefined> {
  const endpoint = await findEndpoint(tx.db, id)
  return endpoint?.url === url ? endpoint : undefined
}

function stateAfter(
  verdict: AttemptOutcome,
  { attempts }: Delivery,
  now: number,
): Pick<Delivery, 'state' | 'attempts' | 'nextAt' | 'finishedAt'> {
  const made = attempts + 1
  if (verdict.kind === 'retry') return { state: 'waiting', attempts: made, nextAt: verdict.at, finishedAt: null }
  const state = verdict.kind === 'delivered' ? 'delivered' : 'failed'
  return { state, attempts: made, nextAt: null, finishedAt: now }
}

function isDisabledBy(verdict: AttemptOutcome, endpoint: WebhookEndpoint | undefined, now: number): boolean {
  if (!endpoint?.enabled) return false
  const { failingSince } = endpoint
  return verdict.kind === 'gone' || (failingSince !== null && now - failingSince >= failingSeconds)
}

async function countFailure(
  tx: Tx,
  attempted: AttemptedEndpoint,
  { verdict, mayDisable }: { readonly verdict: AttemptOutcome; readonly mayDisable: boolean },
): Promise<void> {
  await recordFailure(tx.db, attempted, tx.now)
  const endpoint = await findAttempted(tx, attempted)
  if (!endpoint?.enabled) return
  // The endpoint is read again under the lock, because a user may have changed it in the meantime.
  if (mayDisable && isDisabledBy(verdict, endpoint, tx.now))
    return disable(tx, endpoint, verdict.kind === 'gone' ? 'gone' : 'failing')
  if (await markReported(tx.db, endpoint.id, tx.now - reportedSeconds))
    await tx.append({ type: 'webhook.failing', objectId: endpoint.id, object: shownEndpoint(endpoint), previous: null })
}

/** Cancels the delivery with this id, after its job was discarded. */
export function cancelDiscarded(tx: Tx, id: string): Promise<void> {
  return cancelWaiting(tx.db, { id }, tx.now)
}

/** The input of `redeliver`: the ids of deliveries, or else a filter of finished deliveries. */
export interface Redeliver extends DeliveryFilter {
  readonly ids?: readonly string[]
  /** With a filter: the position after which this batch begins; absent for the first batch. */
  readonly after?: DeliveryPosition
}

/**
 * The result of `redeliver`: the number of deliveries that are sent again, and where a call for the next batch begins.
 */
export interface Redelivered {
  /** The number of deliveries that are sent again. */
  readonly count: number
  /** The position after which a filter may match further deliveries; null when it matches no more, and for `ids`. */
  readonly next: DeliveryPosition | null
}

/**
 * Sends deliveries to enabled endpoints again, with the same `webhook-id`; refuses when all their endpoints are
 * disabled. A call with a filter takes at most 500 finished deliveries, the oldest first.
 */
export const redeliver: Operation<Redeliver, Redelivered> = async (tx, { ids, after, ...filter }) => {
  const limit = replayedAtOnce
  const endpoints = await listLocked(tx)
  const found = ids ? await listDeliveries(tx.db, ids) : await listFinished(tx.db, filter, { after, limit })
  const enabled = new Set(endpoints.flatMap((one) => (one.enabled ? [one.id] : [])))
  const again = found.filter(({ endpointId }) => enabled.has(endpointId))
  if (found.length > 0 && again.length === 0)
    throw new Refusal({ code: 'webhook_disabled', message: message('webhook_disabled') })
  await restartDeliveries(
    tx.db,
    again.map(({ id }) => id),
    tx.now,
  )
  await enqueueDeliveries(tx, again)
  const last = ids || found.length < limit ? undefined : found.at(-1)
  return { count: again.length, next: last ? { createdAt: last.createdAt, id: last.id } : null }
}

/** The input of `beginReplay`, which sends past events to an endpoint again. */
export interface BeginReplay {
  readonly endpointId: string
  /** The position in the event log after which events are sent again. */
  readonly after: Cursor
}

/**
 * Starts a background job that sends an endpoint again all logged events to which it subscribes, from the position
 * `after`, exclusive, to the current position of the webhook consumer in the event log; refuses a disabled endpoint.
 */
export const beginReplay: Operation<BeginReplay, Record<never, never>> = async (tx, { endpointId, after }) => {
  await loadEnabled(tx, endpointId)
  const until = await findPosition(tx.db, consumerName)
  await enqueue(tx, [{ kind: replayKind, key: endpointId, payload: { endpointId, after, until } }])
  return {}
}

/** The payload of the job of a replay: the events after the position `after`, up to and including `until`. */
export interface Replay extends BeginReplay {
  readonly until: Cursor
}

/**
 * Creates or restarts the deliveries of one part of a replay, and ends the job of this part. Enqueues a job for the
 * rest, unless there is none or the endpoint is disabled or removed.
 */
export const replayEvents: Operation<Replay & { readonly lease: JobLease }, Record<never, never>> = async (
  tx,
  { endpointId, after, until, lease },
) => {
  await tx.lock(['webhooks'])
  if (!(await settleJob(tx, lease, { kind: 'done' }))) return {}
  const endpoint = await findEndpoint(tx.db, endpointId)
  if (!endpoint?.enabled) return {}
  const range = { after, until, kinds: relayedKinds, limit: replayedAtOnce }
  const events = await listEventsBetween(tx.db, range)
  const sent = events.filter(({ type }) => isSubscribed(endpoint.events, type))
  await insertDeliveries(
    tx.db,
    sent.map((event) => deliveryOf(tx, endpoint, event)),
  )
  const eventIds = sent.map(({ id }) => id)
  const ids = await listDeliveryIds(tx.db, endpointId, eventIds)
  await enqueueDeliveries(
    tx,
    ids.map((id) => ({ id, endpointId })),
  )
  const next = events.length < replayedAtOnce ? undefined : parseSeq(events.at(-1)?.seq ?? '')
  // The key of the job is random, so that the rest and a replay that a user begins meanwhile do not replace each other.
  if (next) await enqueue(tx, [{ kind: replayKind, payload: { endpointId, after: next, until } satisfies Replay }])
  return {}
}
