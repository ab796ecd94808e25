import type { Database } from '../db/database.ts'
import type { WebhookEndpointTable } from '../db/query/job-tables.ts'
import type { DisabledBecause, WebhookEndpoint } from './endpoint.ts'

/** Returns every endpoint in the order of creation. */
export async function listEndpoints(db: Database): Promise<WebhookEndpoint[]> {
  const rows = await db.build.selectFrom('webhook_endpoint').selectAll().orderBy('created_at').orderBy('id').execute()
  return rows.map(toEndpoint)
}

/** Returns the endpoint with this id; undefined for an unknown id. */
export async function findEndpoint(db: Database, id: string): Promise<WebhookEndpoint | undefined> {
  const row = await db.build.selectFrom('webhook_endpoint').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toEndpoint(row)
}

/** Inserts a new endpoint for webhooks. */
export async function insertEndpoint(db: Database, endpoint: WebhookEndpoint): Promise<void> {
  await db.build.insertInto('webhook_endpoint').values(toRow(endpoint, endpoint.createdAt)).execute()
}

/**
 * Updates an endpoint, except for the times of its failures and of its last success, which concurrent deliveries record
 * without the lock on endpoints.
 */
export async function updateEndpoint(db: Database, endpoint: WebhookEndpoint, now: number): Promise<void> {
  const { id, failing_since: _, last_success_at: __, ...row } = toRow(endpoint, now)
  await db.build.updateTable('webhook_endpoint').set(row).where('id', '=', id).execute()
}

/** Deletes the record of an endpoint's failures since its last success. */
export async function clearFailures(db: Database, id: string): Promise<void> {
  await db.build.updateTable('webhook_endpoint').set({ failing_since: null }).where('id', '=', id).execute()
}

/** Deletes an endpoint; its deliveries, which are no longer listed, remain until the sweep. */
export async function deleteEndpoint(db: Database, id: string): Promise<void> {
  await db.build.deleteFrom('webhook_endpoint').where('id', '=', id).execute()
}

/** The endpoint of an attempt, with the URL that the attempt used; a user may change the URL during the attempt. */
export type AttemptedEndpoint = Pick<WebhookEndpoint, 'id' | 'url'>

// While an endpoint has no failures, the minimum number of seconds between two stored successes, so that a busy
// endpoint is not written at every delivery.
const successSeconds = 60

/**
 * Records a success of an endpoint and clears its failures. Does nothing when the endpoint has another URL by now, or
 * when there are no failures and a success within the last minute is stored already.
 */
export async function recordSuccess(db: Database, { id, url }: AttemptedEndpoint, now: number): Promise<void> {
  await db.build
    .updateTable('webhook_endpoint')
    .set({ failing_since: null, last_success_at: now })
    .where('id', '=', id)
    .where('url', '=', url)
    .where((row) =>
      row.or([
        row('failing_since', 'is not', null),
        row('last_success_at', 'is', null),
        row('last_success_at', '<', now - successSeconds),
      ]),
    )
    .execute()
}

/**
 * Records a failure of an endpoint, if it is the first since the last success and the endpoint has no other URL by now.
 */
export async function recordFailure(db: Database, { id, url }: AttemptedEndpoint, now: number): Promise<void> {
  await db.build
    .updateTable('webhook_endpoint')
    .set({ failing_since: now })
    .where('id', '=', id)
    .where('url', '=', url)
    .where('failing_since', 'is', null)
    .execute()
}

/**
 * Records that the current series of failures of an endpoint is reported to administrators; the caller appends the
 * event that notifies them. Returns false and records nothing when the series was reported before, or began after
 * `since` (Unix seconds).
 */
export async function markReported(db: Database, id: string, since: number): Promise<boolean> {
  const { numUpdatedRows } = await db.build
    .updateTable('webhook_endpoint')
    .set((row) => ({ reported_since: row.ref('failing_since') }))
    .where('id', '=', id)
    .where('failing_since', '<=', since)
    .where((row) => row.or([row('reported_since', 'is', null), row('reported_since', '<', row.ref('failing_since'))]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

function toEndpoint(row: WebhookEndpointTable): WebhookEndpoint {
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    events: JSON.parse(row.events),
    headers: row.headers,
    template: row.template,
    payloadVersion: row.payload_version as 'v1',
    secret: row.secret,
    previousSecret: row.previous_secret,
    previousUntil: row.previous_until,
    enabled: row.enabled === 1,
    disabledBecause: row.disabled_because as DisabledBecause | null,
    disabledAt: row.disabled_at,
    failingSince: row.failing_since,
    lastSuccessAt: row.last_success_at,
    createdAt: row.created_at,
  }
}

function toRow(endpoint: WebhookEndpoint, now: number): Omit<WebhookEndpointTable, 'reported_since'> {
  return {
    id: endpoint.id,
    url: endpoint.url,
    description: endpoint.description,
    events: JSON.stringify(endpoint.events),
    headers: endpoint.headers,
    template: endpoint.template,
    payload_version: endpoint.payloadVersion,
    secret: endpoint.secret,
    previous_secret: endpoint.previousSecret,
    previous_until: endpoint.previousUntil,
    enabled: endpoint.enabled ? 1 : 0,
    disabled_because: endpoint.disabledBecause,
    disabled_at: endpoint.disabledAt,
    failing_since: endpoint.failingSince,
    last_success_at: endpoint.lastSuccessAt,
    created_at: endpoint.createdAt,
    updated_at: now,
  }
}
