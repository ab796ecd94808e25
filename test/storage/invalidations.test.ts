import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Invalidation } from '../../src/scheduling/invalidation.ts'
import { type OpenStorage, open } from '../../src/server/open.ts'
import { contextWith, type FreshDatabase, freshDatabase } from '../support/databases.ts'
import type { operations } from '../support/pages-operations.ts'

const stretch = { id: 'one', providerId: 7, start: 1_000, end: 2_000 }

let fresh: FreshDatabase
let service: OpenStorage<typeof operations>
let invalidations: Invalidation[] = []
/** The number of calls of `onInvalidation` that `invalidationsOf` counts. */
let reports = 0
before(async () => {
  fresh = await freshDatabase('sqlite')
  service = await open<typeof operations>({
    at: fresh.at,
    operations: new URL('../support/pages-operations.ts', import.meta.url),
    onInvalidation: (touched) => {
      invalidations.push(...touched)
      reports += 1
    },
  })
  await service.perform('site.prepare', { siteUrl: '' }, contextWith())
})
after(async () => {
  await service.close()
  await fresh.remove()
})

/**
 * Performs a write and returns the invalidations (subjects and days whose cached data the write makes stale) that were
 * applied before the write was answered.
 */
async function invalidationsOf(write: () => Promise<object>): Promise<readonly Invalidation[]> {
  invalidations = []
  reports = 0
  await write()
  return invalidations
}

test('a write is answered after its invalidations were applied', async () => {
  const blocked = await invalidationsOf(() => service.perform('block', stretch, contextWith()))
  assert.deepEqual(blocked, [{ subject: 'p7', firstDay: 0, lastDay: 0 }])
  const moved = await invalidationsOf(() => service.perform('unblock', { id: 'one', later: 86_400 }, contextWith()))
  assert.deepEqual(moved, [
    { subject: 'p7', firstDay: 0, lastDay: 0 },
    { subject: 'p7', firstDay: 1, lastDay: 1 },
  ])
})

test('a dry run and a fault have no invalidations', async () => {
  const again = { ...stretch, id: 'two' }
  assert.deepEqual(await invalidationsOf(() => service.perform('block', again, contextWith({ dryRun: true }))), [])
  await service.perform('block', again, contextWith())
  assert.deepEqual(await invalidationsOf(() => service.perform('block', again, contextWith())), [])
})

test('a change of the catalogue invalidates the catalogue', async () => {
  const site = { site: { name: 'Another', timezone: 'Europe/Berlin' } }
  const touched = await invalidationsOf(() => service.perform('site.apply', site, contextWith()))
  assert.ok(touched.some(({ subject }) => subject === 'catalogue'))
})

test('writes of one commit are invalidated together, and a write without effect invalidates nothing', async () => {
  const writes = ['three', 'four', 'five'].map((id) => ({ ...stretch, id }))
  const touched = await invalidationsOf(() =>
    Promise.all(writes.map((one) => service.perform('block', one, contextWith()))),
  )
  assert.deepEqual([touched.length, reports], [3, 1])
  assert.deepEqual(await invalidationsOf(() => service.perform('tokens.used', { uses: [] }, contextWith())), [])
})
