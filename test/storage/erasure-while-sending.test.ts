import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resultOf } from '../../src/db/perform/outcome.ts'
import { openBlockedStorage } from '../support/blocked-storage.ts'
import { now } from '../support/clinic.ts'
import { contextWith, databasesHere } from '../support/databases.ts'
import { InsertLock } from '../support/insert-lock.ts'
import { waitingForLocks } from '../support/lock-waits.ts'
import { pause } from '../support/pause.ts'

const skip = (await databasesHere()).find(({ kind }) => kind === 'postgres')?.skip ?? 'PostgreSQL is not installed'
const context = contextWith({ now })

// SQLite runs one write transaction at a time.
test('a message sent to a customer who was merged meanwhile is not logged during the erasure of the other', {
  skip,
}, async (t) => {
  const { storage, databaseUrl, observer } = await openBlockedStorage(t)
  resultOf(await storage.perform('site.prepare', { siteUrl: '' }, context))
  const add = async (name: string) => {
    const email = `${name}@list.example`
    return resultOf(await storage.perform('customers.add', { name, email, createUser: false }, context)).id
  }
  const [from, id] = [await add('merged'), await add('remaining')]
  await observer.query(
    `insert into job (id, kind, unique_key, lane, payload, state, run_at, attempts, lease_owner, created_at)
     values ('sending', 'notification', 'sending', '', '{}', 'running', 0, 1, 'node', 0)`,
  )
  resultOf(await storage.perform('customers.merge', { id, from }, context))
  // The erasure appends its event last, when it has deleted the messages and holds its locks.
  await using lock = await InsertLock.acquire(databaseUrl, 'event')
  const erased = storage.perform('customers.erase', { id }, context)
  await lock.waitForBlocked(1)
  const recorded = storage.perform(
    'notifications.record',
    {
      lease: { id: 'sending', owner: 'node', attempt: 1, revision: 0 },
      settlement: { kind: 'done' },
      entry: {
        ...{ id: 'sending', kind: 'verify_email', reservationId: null, customerId: from, channel: 'email' },
        ...{ recipient: 'merged@list.example', locale: 'en', subject: 'Confirm', state: 'sent', reason: '' },
        ...{ attempts: 1, createdAt: now, updatedAt: now },
      },
    },
    context,
  )
  let isRecorded = false
  void recorded.then(() => {
    isRecorded = true
  })
  while (!isRecorded && (await waitingForLocks(observer)) === 0) await pause()
  await lock.release()
  resultOf(await erased)
  assert.equal(resultOf(await recorded), true)
  assert.deepEqual((await observer.query('select recipient from notification')).rows, [])
})
