import type { Database } from '../db/database.ts'
import { type Cursor, findNewestSettled, parseSeq, readFeed } from '../db/log/event-log.ts'
import type { App, Operation, Tx } from '../db/perform/app.ts'
import { resultOf } from '../db/perform/outcome.ts'
import type { LoggedEvent } from '../history/event.ts'
import { type Loop, startLoop } from './loop.ts'

/** Turns events into jobs with `enqueue`, in the transaction that moves its position in the log: each event once. */
export type EventConsumer = (tx: Tx, events: readonly LoggedEvent[]) => Promise<void>

/** The consumers of the event log, by name. */
export type EventConsumers = Readonly<Record<string, EventConsumer>>

interface Relayed {
  readonly count: number
  /** Whether more events may follow. */
  readonly more: boolean
}

// A batch shares the writing connection with bookings.
const batchSize = 100
// Commits of a busy service are relayed together.
const wakeMilliseconds = 50
// Finds what a node that crashed, or a command beside the service, has committed.
const pollSeconds = 1
const byWorker = { actor: { kind: 'worker', id: 'relay' }, requestId: null, dryRun: false, idempotency: null } as const

/** Starts a consumer at the end of the log; one that has been started stays where it is. */
export async function startConsumer(tx: Tx, name: string): Promise<void> {
  const position = await findNewestSettled(tx.db)
  await tx.db.build
    .insertInto('event_consumer')
    .values({ name, tx: position.tx, n: position.n })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
}

/** Stops a consumer; events from now on are not for it. */
export async function stopConsumer(tx: Tx, name: string): Promise<void> {
  await tx.db.build.deleteFrom('event_consumer').where('name', '=', name).execute()
}

/** The write of the relay: passes the next events of the log to one consumer and moves its position. */
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

/** Returns the position of a consumer in the log; undefined for one that has not been started. */
export async function findPosition(db: Database, name: string): Promise<Cursor | undefined> {
  return await db.build.selectFrom('event_consumer').select(['tx', 'n']).where('name', '=', name).executeTakeFirst()
}

/** The operations that a relay performs. */
export type RelayOperations = { readonly 'events.relay': ReturnType<typeof relayOperation> }

/** Passes committed events to the consumers that have been started, soon after each commit. */
export function startEventRelay(app: App<RelayOperations>): Pick<Loop, 'stop'> & { wake(): void } {
  const loop = startLoop(pollSeconds, { name: 'event relay', run: () => relayEvents(app), atStart: true }, app.log)
  return { wake: () => loop.wake(wakeMilliseconds), stop: () => loop.stop() }
}

/** Whether events wait for a consumer. */
export async function hasWaitingEvents(db: Database): Promise<boolean> {
  const consumers = await db.build.selectFrom('event_consumer').select(['tx', 'n']).execute()
  for (const after of consumers) if ((await readFeed(db, { after, limit: 1 })).events.length > 0) return true
  return false
}

/** Passes every settled event to the consumers that have been started; resolves afterwards. */
export async function relayEvents(app: App<RelayOperations>): Promise<void> {
  const consumers = await app.db.build.selectFrom('event_consumer').selectAll().execute()
  for (const { name, ...after } of consumers) {
    // A read first: without new events nothing is written.
    let more = (await readFeed(app.db, { after, limit: 1 })).events.length > 0
    while (more) {
      const outcome = await app.perform('events.relay', { name }, { now: app.now(), ...byWorker })
      more = resultOf(outcome).more
    }
  }
}
