import { resultOf } from '../db/perform/outcome.ts'
import { workerContext } from '../db/perform/worker-context.ts'
import { decrypt, type KeySource } from '../encryption.ts'
import type { OutboundClient, OutboundResponse } from '../http/outbound/outbound-client.ts'
import { OutboundError } from '../http/outbound/outbound-error.ts'
import { retryAfterOf } from '../http/outbound/response-headers.ts'
import type { JobHandler, JobResult, JobRun } from '../jobs/job.ts'
import type { Daybook } from '../operations.ts'
import type { Attempt } from './attempts.sql.ts'
import type { Replay } from './deliveries.operations.ts'
import { type DeliveryWithEvent, findDeliveryWithEvent } from './deliveries.sql.ts'
import { availabilityKind, deliveryKind, replayKind } from './delivery-kind.ts'
import type { WebhookEndpoint } from './endpoint.ts'
import { findEndpoint } from './endpoints.sql.ts'
import { payloadOf, type WebhookPayload } from './payload.ts'
import { verdictOn } from './schedule.ts'
import { signedHeaders } from './signature.ts'
import { renderTemplate } from './template.ts'

/** The dependencies of the jobs that send webhooks. */
export interface WebhookJobs {
  readonly app: Pick<Daybook, 'db' | 'now' | 'perform'>
  readonly client: OutboundClient
  readonly findKey: KeySource
  /** The version of the service, which the `User-Agent` of requests contains. */
  readonly version: string
}

const timeout = 15_000
const keptResponse = 4_096
const concurrency = 64
const perEndpoint = 4

/**
 * Returns the handlers of three kinds of jobs: those that send a delivery, report changed availability and replay past
 * events.
 */
export function webhookJobHandlers(jobs: WebhookJobs): readonly JobHandler[] {
  return [
    {
      kind: deliveryKind,
      concurrency,
      laneConcurrency: perEndpoint,
      // This limit concerns runs that throw, for example because of a database fault or a missing encryption key. A
      // failed attempt at the delivery does not make the run throw: the delivery counts its own attempts and stores the
      // time of the next one.
      maxAttempts: 1_000,
      outbound: true,
      run: (_, run) => deliver(jobs, run),
    },
    {
      kind: availabilityKind,
      concurrency: 1,
      maxAttempts: 20,
      run: async (payload, { lease }) => {
        const { from } = payload as { readonly from: string }
        resultOf(await jobs.app.perform('webhooks.availability', { from, lease }, context(jobs)))
        return 'settled'
      },
    },
    {
      kind: replayKind,
      concurrency: 1,
      maxAttempts: 20,
      run: async (payload, { lease }) => {
        resultOf(await jobs.app.perform('webhooks.replay', { ...(payload as Replay), lease }, context(jobs)))
        return 'settled'
      },
    },
  ]
}

async function deliver(jobs: WebhookJobs, { key: deliveryId, lease, signal }: JobRun): Promise<JobResult> {
  const { app } = jobs
  const found = await findDeliveryWithEvent(app.db, deliveryId)
  const endpoint = found && (await findEndpoint(app.db, found.delivery.endpointId))
  if (!endpoint?.enabled || found?.delivery.state !== 'waiting') return 'done'
  const secrets = await openSecrets(jobs, endpoint)
  const timestamp = app.now()
  const { attempt, retryAfter } = await send(jobs, { endpoint, found, secrets, timestamp, signal })
  if (signal.aborted) throw new Error('The run was aborted.')
  const counted = { attempt: found.delivery.attempts + 1, now: app.now(), chance: Math.random() }
  const verdict = verdictOn({ status: attempt.status, retryAfter }, counted)
  const attempted = { deliveryId, url: endpoint.url, lease, attempt, verdict }
  resultOf(await app.perform('webhooks.attempted', attempted, context(jobs)))
  return 'settled'
}

interface Sending {
  readonly endpoint: WebhookEndpoint
  readonly found: DeliveryWithEvent
  readonly secrets: OpenSecrets
  readonly timestamp: number
  readonly signal: AbortSignal
}

async function send(jobs: WebhookJobs, { endpoint, found, secrets, timestamp, signal }: Sending) {
  const began = performance.now()
  let headers: Readonly<Record<string, string>> = {}
  const ended = (rest: Pick<Attempt, 'status' | 'error' | 'responseHeaders' | 'response'>): Attempt => ({
    at: timestamp,
    milliseconds: Math.round(performance.now() - began),
    requestHeaders: headers,
    ...rest,
  })
  const failed = (error: string) => ended({ status: null, error, responseHeaders: {}, response: null })
  const payload = payloadOfDelivery(found)
  try {
    const body = endpoint.template === null ? JSON.stringify(payload) : await rendered(endpoint.template, payload)
    const signed = signedHeaders({ id: payload.id, timestamp, body }, secrets.signing)
    const agent = { 'content-type': 'application/json', 'user-agent': `Daybook/${jobs.version}` }
    // The values of extra headers may be credentials, so the delivery log contains only the names of these headers.
    headers = { ...agent, ...maskedValues(secrets.headers), ...signed }
    const request = { url: endpoint.url, method: 'POST', body, timeout, signal } as const
    const response = await jobs.client.send({ ...request, headers: { ...agent, ...secrets.headers, ...signed } })
    const retryAfter = retryAfterOf(response, jobs.app.now())
    return { attempt: ended({ status: response.status, error: null, ...kept(response) }), retryAfter }
  } catch (error) {
    if (error instanceof OutboundError || error instanceof TemplateError) {
      return { attempt: failed(error.message), retryAfter: null }
    }
    throw error
  }
}

/** Thrown when a template cannot be rendered for a payload. */
class TemplateError extends Error {}

async function rendered(template: string, payload: WebhookPayload): Promise<string> {
  return renderTemplate(template, payload).catch((error: unknown) => {
    throw new TemplateError(`template: ${error instanceof Error ? error.message : String(error)}`)
  })
}

/** Returns the payload of a delivery: that of its event, or the stored payload when the event log has no such event. */
export function payloadOfDelivery({ delivery, event }: DeliveryWithEvent): WebhookPayload {
  if (event) return payloadOf(event)
  const payload: WebhookPayload = JSON.parse(delivery.payload ?? 'null')
  return payload
}

interface OpenSecrets {
  /** The current signing secret and, while it is valid, the previous one. */
  readonly signing: readonly string[]
  readonly headers: Readonly<Record<string, string>>
}

async function openSecrets({ app, findKey }: WebhookJobs, endpoint: WebhookEndpoint): Promise<OpenSecrets> {
  const keys = await findKey()
  if (!keys) throw new Error('There is no key: set DAYBOOK_SECRET_KEY, the same for every node.')
  const { id, secret, previousSecret, previousUntil, headers } = endpoint
  const previous = previousSecret !== null && (previousUntil ?? 0) > app.now() ? [previousSecret] : []
  const signing = [secret, ...previous].map((sealed) => decrypt(keys, sealed, secretPlace(id)))
  return { signing, headers: JSON.parse(decrypt(keys, headers, headersPlace(id))) }
}

/**
 * Returns the `place` argument of `encrypt` for the signing secrets of an endpoint, which binds the ciphertext to the
 * endpoint.
 */
export function secretPlace(endpointId: string): string {
  return `webhook:${endpointId}`
}

/**
 * Returns the `place` argument of `encrypt` for the extra headers of an endpoint, which binds the ciphertext to the
 * endpoint.
 */
export function headersPlace(endpointId: string): string {
  return `webhook-headers:${endpointId}`
}

function maskedValues(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, '…']))
}

function kept({ headers, body }: OutboundResponse): Pick<Attempt, 'responseHeaders' | 'response'> {
  const texts = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value].flat().join(', ').slice(0, 500)] as const],
  )
  // NUL is removed from the response, because PostgreSQL cannot store it.
  return {
    responseHeaders: Object.fromEntries(texts.slice(0, 50)),
    response: body.slice(0, keptResponse).replaceAll('\0', '').toWellFormed(),
  }
}

function context({ app }: WebhookJobs) {
  return { ...byWorker, now: app.now() }
}

const byWorker = workerContext('webhooks')
