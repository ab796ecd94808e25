import type { Database } from '../db/database.ts'
import { type Cursor, findNewestSettled, parseSeq, readFeed } from '../db/log/event-log.ts'
import type { App, Operation, Outcome, Tx } from '../db/perform/app.ts'
import { resultOf } from '../db/perform/outcome.ts'
import { workerContext } from '../db/perform/worker-context.ts'
import type { LoggedEvent } from '../history/event.ts'
import { type Loop, startLoop } from './loop.ts'

/**
 * A consumer of the event log. It turns events into jobs with `enqueue`, in the transaction that advances its position
 * in the log, so that each event is consumed exactly once.
 */
export type EventConsumer = (tx: Tx, events: readonly LoggedEvent[]) => Promise<void>

/** The consumers of the event log, by name. */
export type EventConsumers = Readonly<Record<string, EventConsumer>>

interface Relayed {
  readonly count: number
  /** Whether more events may follow the batch that was passed to the consumer. */
  readonly more: boolean
}

// The number of events that are passed to a consumer at once. It is small because on SQLite bookings wait while a batch
// is written.
const batchSize = 100
// Milliseconds from a commit until its events are passed to the consumers, so that commits in quick succession are
// handled together.
const wakeMilliseconds = 50
// Seconds between two polls, which find the events of a node that crashed and of commands in other processes.
const pollSeconds = 1
const byWorker = workerContext('relay')

/**
 * Starts a consumer of the event log after the newest event that the event feed returns. The position of a consumer
 * that has been started already is unchanged.
 */
export async function startConsumer(tx: Tx, name: string): Promise<void> {
  const position = await findNewestSettled(tx.db)
  await tx.db.build
    .insertInto('event_consumer')
    .values({ name, tx: position.tx, n: position.n })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
}

/**
 * Stops a consumer of the event log and deletes its position, so that it misses all events until it is started again.
 */
export async function stopConsumer(tx: Tx, name: string): Promise<void> {
  await tx.db.build.deleteFrom('event_consumer').where('name', '=', name).execute()
}

/**
 * Returns the operation that passes the next batch of events to one consumer of the event log and advances the position
 * of the consumer.
 */
export function relayOperation(consumers: EventConsumers): Operation<{ readonly name: string }, Relayed> {
  return async (tx, { name }) => {
    await tx.lock([`event-consumer:${name}`])
    const after = await findPosition(tx.db, name)
    const consume = consumers[name]
    if (!after || !consume) return { count: 0, more: false }
    const { events } = await readFeed(tx.db, { after, limit: batchSize })
    const position = parseSeq(events.at(-1)?.seq ?? '')
    if (!position) return { count: 0, more: false }
    await consume(tx, events)
    await tx.db.build
      .updateTable('event_consumer')
      .set({ ...position })
      .where('name', '=', name)
      .execute()
    return { count: events.length, more: events.length === batchSize }
  }
}

/** Returns the position of a consumer in the event log; undefined when the consumer has not been started. */
export async function findPosition(db: Database, name: string): Promise<Cursor | undefined> {
  return await db.build.selectFrom('event_consumer').select(['tx', 'n']).where('name', '=', name).executeTakeFirst()
}

/** The operation with which events are passed to their consumers. */
export type RelayOperations = { readonly 'events.relay': ReturnType<typeof relayOperation> }

/** Passes committed events to the consumers of the event log that have been started, soon after each commit. */
export function startEventRelay(app: App<RelayOperations>): Pick<Loop, 'stop'> & { wake(): void } {
  const run = (signal: AbortSignal) => relayEvents(app, signal)
  const loop = startLoop(pollSeconds, { name: 'event relay', run, atStart: true }, app.log)
  return { wake: () => loop.wake(wakeMilliseconds), stop: () => loop.stop() }
}

/** Whether any consumer of the event log has not consumed all events that the event feed returns. */
export async function hasWaitingEvents(db: Database): Promise<boolean> {
  const consumers = await db.build.selectFrom('event_consumer').select(['tx', 'n']).execute()
  for (const after of consumers) if ((await readFeed(db, { after, limit: 1 })).events.length > 0) return true
  return false
}

/**
 * Passes every event that the event feed returns to the consumers that have been started; resolves when all are
 * consumed, or after the present batch when `signal` is aborted. A consumer that fails delays none of the others; the
 * first failure rejects at the end.
 */
export async function relayEvents(app: App<RelayOperations>, signal = AbortSignal.any([])): Promise<void> {
  const consumers = await app.db.build.selectFrom('event_consumer').selectAll().orderBy('name').execute()
  const failed: Outcome<Relayed>[] = []
  for (const { name, ...after } of consumers) {
    // A read comes first, so that nothing is written when there are no new events.
    let more = (await readFeed(app.db, { after, limit: 1 })).events.length > 0
    while (more && !signal.aborted) {
      const outcome = await app.perform('events.relay', { name }, { now: app.now(), ...byWorker })
      more = 'ok' in outcome && outcome.ok.more
      if (!('ok' in outcome)) failed.push(outcome)
    }
  }
  for (const outcome of failed) resultOf(outcome)
}
