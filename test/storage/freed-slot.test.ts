import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAvailability } from '../../src/availability/availability.operations.ts'
import { WriterPort } from '../../src/db/sqlite/writer-port.ts'
import type { Operations } from '../../src/operations.ts'
import { toInstant } from '../../src/scheduling/time/zone.ts'
import { readSiteFile } from '../../src/site-file/read-site-file.routes.ts'
import { ana, dayLong, now, standardSite } from '../support/clinic.ts'
import { contextWith, withStorage } from '../support/databases.ts'
import { assertRefusedWith, present, resultOf } from '../support/in-process-site.ts'

const operations = new URL('../../src/operations.ts', import.meta.url)
const context = contextWith({ now })

test('a slot that a write of another thread frees can be booked within the same second', () =>
  withStorage<Operations>('sqlite', operations, async ({ perform, db, connectWriter }) => {
    resultOf(await perform('site.prepare', { siteUrl: '' }, context))
    resultOf(await perform('site.apply', readSiteFile(JSON.stringify(standardSite)), context))
    const from = present(toInstant('Europe/Berlin', '2026-10-07T00:00'))
    const [customer] = await db.build.selectFrom('customer').select('id').execute()
    const [service] = await db.build.selectFrom('service').select('id').where('name', '=', 'plain').execute()
    const customerId = present(customer).id
    const list = { from, until: from + dayLong, now, serviceIds: [present(service).id], providerIds: [ana] }
    const [slot] = await listAvailability(db, list)
    const { availabilityId, serviceId, providerId, start, end } = present(slot)
    const booking = { availabilityId, serviceId, providerId, start, end, customerId }
    const book = () => perform('reservations.add', booking, context)
    const { id } = resultOf(await book())
    // The writer refuses the first of these two bookings, and the memory of taken slots the second one.
    assertRefusedWith(await book(), 'slot_full')
    assertRefusedWith(await book(), 'slot_full')
    const other = new WriterPort(present(connectWriter({ follows: false })), { onClose: () => {} })
    const removed = await other.perform({ name: 'reservations.remove', input: { id }, context })
    assert.ok('ok' in removed, JSON.stringify(removed))
    await db.caughtUp()
    assert.notEqual(resultOf(await book()).id, id)
    other.close()
  }))
