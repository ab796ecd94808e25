import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultBlocking } from '../../src/calendars/calendar.ts'
import { findCalendar } from '../../src/calendars/calendars.sql.ts'
import { hashWatchSecret } from '../../src/calendars/push/watches.operations.ts'
import { resultOf } from '../../src/db/perform/outcome.ts'
import { openBlockedStorage } from '../support/blocked-storage.ts'
import { ana, now, standardSite } from '../support/clinic.ts'
import { contextWith, databasesHere } from '../support/databases.ts'
import { InsertLock } from '../support/insert-lock.ts'

const skip = (await databasesHere()).find(({ kind }) => kind === 'postgres')?.skip ?? 'PostgreSQL is not installed'
const context = contextWith({ now })

// SQLite runs one write transaction at a time.
test('a reading that is stored overwrites neither an address encrypted again nor a report of a change', {
  skip,
}, async (t) => {
  const { storage, databaseUrl } = await openBlockedStorage(t)
  resultOf(await storage.perform('site.prepare', { siteUrl: '' }, context))
  resultOf(await storage.perform('site.apply', standardSite as never, context))
  const id = 'cal_1'
  const calendar = {
    ...{ id, providerId: ana, kind: 'ics' as const, name: 'Private', host: 'calendar.invalid', sealed: 'old' },
    ...{ blocking: defaultBlocking, opening: null },
  }
  resultOf(await storage.perform('calendars.connect', calendar, context))
  const secretHash = hashWatchSecret('secret')
  const watch = { calendarId: id, secretHash, channel: 'c', remote: 'r', expiresAt: now + 3_600, nextAt: now }
  resultOf(await storage.perform('calendars.watch', { ...watch, fault: null }, context))
  const { revision, nextAt } = (await findCalendar(storage.db, id)) ?? assert.fail()

  await using lock = await InsertLock.acquire(databaseUrl, 'busy')
  const content = { basis: '[]', digest: 'd', count: 1 }
  const reading = {
    ...{ id, revision, nextAt, content, window: { start: now - 86_400, end: now + 86_400 } },
    ...{ times: [now + 3_600, now + 7_200], opened: { openings: [], faults: [] } },
  }
  const stored = storage.perform('calendars.store', reading, context)
  await lock.waitForBlocked(1)
  resultOf(await storage.perform('calendars.reseal', { id, from: 'old', to: 'new' }, context))
  resultOf(await storage.perform('calendars.changed', { secretHashes: [secretHash] }, context))
  await lock.release()
  assert.deepEqual(resultOf(await stored), { added: 1, removed: 0 })
  const after = await findCalendar(storage.db, id)
  assert.deepEqual([after?.sealed, after?.nextAt, after?.readAt, after?.content], ['new', nextAt - 1, now, content])
})
