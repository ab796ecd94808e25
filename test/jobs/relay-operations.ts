import type { Operation, OperationTable } from '../../src/db/perform/app.ts'
import { relayOperation, startConsumer, stopConsumer } from '../../src/jobs/event-relay.ts'
import { runnerOperations } from '../../src/jobs/operations.ts'
import { enqueue } from '../../src/jobs/queue.ts'
import { refusal } from '../../src/messages/refusal.ts'
import { operations as service } from '../../src/operations.ts'

const start: Operation<{ readonly name?: string }, null> = async (tx, { name = 'test' }) => {
  await startConsumer(tx, name)
  return null
}

const stop: Operation<Record<never, never>, null> = async (tx) => {
  await stopConsumer(tx, 'test')
  return null
}

const append: Operation<{ readonly ids: readonly string[]; readonly refused?: true }, null> = async (
  tx,
  { ids, refused },
) => {
  for (const objectId of ids) await tx.append({ type: 'customer.created', objectId, object: {}, previous: null })
  if (refused) throw refusal('slot_full')
  return null
}

/** The operations of the job runner, of `EventRelay` and of site set-up, and operations that exist only in tests. */
export const operations = {
  ...runnerOperations,
  'site.prepare': service['site.prepare'],
  'test.start': start,
  'test.stop': stop,
  'test.append': append,
  'events.relay': relayOperation({
    broken: () => Promise.reject(new Error('This consumer fails.')),
    test: (tx, events) =>
      enqueue(
        tx,
        events.map(({ id, objectId }) => ({ kind: 'seen', key: id, payload: objectId })),
      ),
  }),
} as const satisfies OperationTable
