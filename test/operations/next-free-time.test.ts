import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listAvailability } from '../../src/availability/availability.operations.ts'
import { findNextStart } from '../../src/availability/free-times.operations.ts'
import { ana, dayLong, now, standardSite } from '../support/clinic.ts'
import { InProcessSite } from '../support/in-process-site.ts'
import { turnsDuring } from '../support/turns.ts'

let site: InProcessSite
before(async () => {
  const [plain, ...others] = standardSite.services
  site = await InProcessSite.open({ services: [{ ...plain, horizonDays: 365 }, ...others] })
})
after(() => site.close())

const next = (providerId: number | undefined, fits?: (slot: { start: number }) => boolean, from = now) =>
  findNextStart(site.reads, { serviceId: site.service('plain'), providerId, from, now, ...(fits && { fits }) })

test('the next free time is the first slot of the list that fits, however far ahead', async () => {
  const serviceIds = [site.service('plain')]
  for (const providerId of [undefined, ana]) {
    const filter = { serviceIds, from: now, now, ...(providerId !== undefined && { providerIds: [providerId] }) }
    const slots = await listAvailability(site.reads, { ...filter, until: now + 3_660 * dayLong })
    assert.equal(await next(providerId), slots[0]?.start)
    for (const days of [1, 33, 34, 99, 100, 101, 400]) {
      const fits = ({ start }: { start: number }) => start >= now + days * dayLong
      const expected = slots.find(fits)?.start
      assert.equal(await next(providerId, fits), expected, `${days} days`)
      assert.equal(await next(providerId, undefined, now + days * dayLong), expected, `from ${days} days`)
    }
  }
})

test('a search to the booking horizon yields to other requests', async () => {
  const turns = await turnsDuring(async () => assert.equal(await next(undefined, () => false), undefined))
  assert.ok(turns >= 5, `${turns} turns of the event loop`)
})

test('the search for a free time of an unknown service ends', async () => {
  assert.equal(await findNextStart(site.reads, { serviceId: 's_0', providerId: undefined, from: 0, now }), undefined)
})
