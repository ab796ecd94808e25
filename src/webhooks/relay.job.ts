import { type Cursor, parseSeq, readFeed } from '../db/log/event-log.ts'
import { Poller } from '../jobs/poller.ts'
import type { Daybook } from '../operations.ts'
import { relayedKinds } from './deliveries.operations.ts'
import { findRelayCursor } from './deliveries.sql.ts'
import { listEndpoints } from './endpoints.sql.ts'

// One transaction writes at most so many deliveries, as bookings wait for it on SQLite.
const maxDeliveries = 2_000
const maxEvents = 200

/** Makes deliveries of new events: soon after each commit of this node, and every second for those of others. */
export function eventRelay(app: Pick<Daybook, 'db' | 'log' | 'now' | 'perform'>): Poller {
  return new Poller({ turn: () => relayNext(app), fault: 'events could not be relayed to webhooks', log: app.log })
}

/** Relays the next events of the log; returns whether others may follow. */
export async function relayNext(app: Pick<Daybook, 'db' | 'now' | 'perform'>): Promise<boolean> {
  const after = await findRelayCursor(app.db)
  // Without an endpoint there is nobody to tell; the first one sets the cursor.
  const endpoints = after ? (await listEndpoints(app.db)).length : 0
  if (!after || endpoints === 0) return false
  const limit = Math.max(1, Math.min(maxEvents, Math.floor(maxDeliveries / endpoints)))
  const { events } = await readFeed(app.db, { after, limit, kinds: relayedKinds })
  const until = cursorOf(events.at(-1)?.seq)
  if (!until) return false
  const outcome = await app.perform('webhooks.relay', { after, until }, { ...byWorker, now: app.now() })
  if (!('ok' in outcome)) throw new Error('fault' in outcome ? outcome.message : outcome.refused.code)
  return events.length === limit
}

function cursorOf(seq: string | undefined): Cursor | undefined {
  return seq === undefined ? undefined : parseSeq(seq)
}

const byWorker = {
  actor: { kind: 'worker', id: 'webhooks' },
  requestId: null,
  dryRun: false,
  idempotency: null,
} as const
