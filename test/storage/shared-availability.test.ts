import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AvailabilityCache } from '../../src/availability/cache/availability-cache.ts'
import type { Operations } from '../../src/operations.ts'
import { toInstant } from '../../src/scheduling/time/zone.ts'
import { openBeside } from '../../src/server/open.ts'
import { readSiteFile } from '../../src/site-file/read-site-file.routes.ts'
import { ana, dayLong, now, standardSite } from '../support/clinic.ts'
import { textOf } from '../support/computed-availability.ts'
import { contextWith, withStorage } from '../support/databases.ts'
import { present, resultOf } from '../support/in-process-site.ts'

const operations = new URL('../../src/operations.ts', import.meta.url)
const context = contextWith({ now })

test('a slot that one thread has sold is listed by no other, however early it is asked', () =>
  withStorage<Operations>('sqlite', operations, async ({ perform, db, connectWriter }, { at }) => {
    resultOf(await perform('site.prepare', { siteUrl: '' }, context))
    resultOf(await perform('site.apply', readSiteFile(JSON.stringify(standardSite)), context))
    let cache: AvailabilityCache | undefined
    assert.ok('dataDir' in at)
    // This test has the connection of another thread, whose messages arrive in turns of the event loop of their own.
    const other = openBeside<Operations>(at.dataDir, present(connectWriter({ follows: true })), {
      onInvalidation: (invalidations) => cache?.invalidate(invalidations),
      onClose: () => {},
    })
    cache = new AvailabilityCache(other.db, { maxBytes: 2 ** 24, isShared: true })
    const from = present(toInstant('Europe/Berlin', '2026-10-07T00:00'))
    const [customer] = await db.build.selectFrom('customer').select('id').execute()
    const [service] = await db.build.selectFrom('service').select('id').where('name', '=', 'plain').execute()
    const query = { from, until: from + dayLong, now, serviceIds: [present(service).id], providerIds: [ana] }
    const customerId = present(customer).id
    let stale = 0
    for (let rounds = 0; rounds < 8; rounds += 1) {
      const [slot] = JSON.parse(await textOf(await cache.list(query)))
      assert.ok(cache.find(query), 'the list is cached')
      const { availabilityId, serviceId, providerId, start, end } = slot
      const booking = { availabilityId, serviceId, providerId, start, end, customerId }
      resultOf(await perform('reservations.add', booking, context))
      const found = cache.find(query)
      const listed = await textOf(found ?? (await cache.list(query)))
      if (listed.includes(`"start":${start},`)) stale += 1
    }
    await other.close()
    assert.equal(stale, 0)
  }))
