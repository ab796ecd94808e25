import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resultOf } from '../../src/db/perform/outcome.ts'
import { openBlockedStorage } from '../support/blocked-storage.ts'
import { now } from '../support/clinic.ts'
import { contextWith, databasesHere } from '../support/databases.ts'
import { waitingForLocks } from '../support/lock-waits.ts'
import { pause } from '../support/pause.ts'

const skip = (await databasesHere()).find(({ kind }) => kind === 'postgres')?.skip ?? 'PostgreSQL is not installed'
const context = contextWith({ now })

// SQLite runs one write transaction at a time.
test('a message sent to a customer who was merged meanwhile is not logged during the erasure of the other', {
  skip,
}, async (t) => {
  const { storage, blocker, observer } = await openBlockedStorage(t)
  resultOf(await storage.perform('site.prepare', { siteUrl: '' }, context))
  const add = async (name: string) => {
    const email = `${name}@list.example`
    return resultOf(await storage.perform('customers.add', { name, email, createUser: false }, context)).id
  }
  const [from, id] = [await add('merged'), await add('remaining')]
  await blocker.query(
    `insert into job (id, kind, unique_key, lane, payload, state, run_at, attempts, lease_owner, created_at)
     values ('sending', 'notification', 'sending', '', '{}', 'running', 0, 1, 'node', 0)`,
  )
  resultOf(await storage.perform('customers.merge', { id, from }, context))
  await blocker.query('begin')
  await blocker.query('select from customer where id = $1 for update', [id])
  const erased = storage.perform('customers.erase', { id }, context)
  while ((await waitingForLocks(observer)) === 0) await pause()
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
  while (!isRecorded && (await waitingForLocks(observer)) < 2) await pause()
  await blocker.query('commit')
  resultOf(await erased)
  assert.equal(resultOf(await recorded), true)
  assert.deepEqual((await observer.query('select recipient from notification')).rows, [])
})
