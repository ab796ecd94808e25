import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { WebhookAttemptTable } from '../db/query/job-tables.ts'
import type { Delivery } from './deliveries.sql.ts'

/** One attempt at a delivery: the request and its response or error. */
export interface Attempt {
  readonly at: number
  readonly milliseconds: number
  readonly status: number | null
  readonly error: string | null
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly response: string | null
}

/**
 * Stores an attempt at a delivery; without the response if the content of the event was erased from the event log, in
 * whole or in part, since a response may repeat that content.
 */
export async function insertAttempt(
  db: Database,
  id: string,
  { delivery, ...sent }: Attempt & { readonly delivery: Pick<Delivery, 'id' | 'eventId'> },
): Promise<void> {
  const attempt = (await isErased(db, delivery.eventId)) ? { ...sent, responseHeaders: {}, response: null } : sent
  await db.build
    .insertInto('webhook_attempt')
    .values({
      id,
      delivery_id: delivery.id,
      created_at: attempt.at,
      milliseconds: attempt.milliseconds,
      status: attempt.status,
      error: attempt.error,
      request_headers: JSON.stringify(attempt.requestHeaders),
      response_headers: JSON.stringify(attempt.responseHeaders),
      response: attempt.response,
    })
    .execute()
}

/**
 * Whether the content of an event was erased from the event log. An erasure after this waits until the transaction
 * ends, so that `clearErasedResponses`, which runs after the erasure, finds the attempt that the transaction stores.
 */
async function isErased(db: Database, eventId: string): Promise<boolean> {
  const { rows } = await sql<{ salt: string | null }>`
    select salt from event where id = ${eventId} ${db.dialect.forShare()}`.execute(db.build)
  return rows.some(({ salt }) => salt === null)
}

/** Returns at most 100 attempts of a delivery, the newest first. */
export async function listAttempts(db: Database, deliveryId: string): Promise<Attempt[]> {
  const rows = await db.build
    .selectFrom('webhook_attempt')
    .selectAll()
    .where('delivery_id', '=', deliveryId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
  return rows.map(toAttempt)
}

/**
 * Deletes the responses to deliveries of events whose content was erased from the event log, in whole or in part, since
 * a response may repeat that content.
 */
export async function clearErasedResponses(db: Database): Promise<void> {
  const erased = db.build
    .selectFrom('webhook_delivery')
    .innerJoin('event', 'event.id', 'webhook_delivery.event_id')
    .where('event.salt', 'is', null)
    .select('webhook_delivery.id')
  await db.build
    .updateTable('webhook_attempt')
    .set({ response: null, response_headers: '{}' })
    .where('delivery_id', 'in', erased)
    .where('response', 'is not', null)
    .execute()
}

function toAttempt(row: WebhookAttemptTable): Attempt {
  return {
    at: row.created_at,
    milliseconds: row.milliseconds,
    status: row.status,
    error: row.error,
    requestHeaders: JSON.parse(row.request_headers),
    responseHeaders: JSON.parse(row.response_headers),
    response: row.response,
  }
}
