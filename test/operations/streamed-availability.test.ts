import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { AvailabilityCache } from '../../src/availability/cache/availability-cache.ts'
import type { ReadDatabase } from '../../src/db/database.ts'
import { dayLong, now } from '../support/clinic.ts'
import { computedAnew, textOf } from '../support/computed-availability.ts'
import { InProcessSite } from '../support/in-process-site.ts'
import { turnsDuring } from '../support/turns.ts'

const days = 20
const query = { from: now, until: now + days * dayLong, now }
const enough = 32 * 2 ** 20

let site: InProcessSite
before(async () => {
  site = await InProcessSite.open()
})
after(() => site.close())

/** Streams the slots of the query from a new cache; returns the JSON and how many snapshots were read. */
async function streamed(maxBytes: number) {
  let snapshots = 0
  const db: ReadDatabase = new Proxy(site.reads, {
    get: (reads, name: keyof ReadDatabase) => {
      if (name === 'snapshot') snapshots += 1
      const value = reads[name]
      return typeof value === 'function' ? value.bind(reads) : value
    },
  })
  const cache = new AvailabilityCache(db, { maxBytes, maxUnitsAtOnce: 0 })
  const text = await textOf(await cache.list(query))
  return { text, snapshots, cache }
}

test('a streamed list reads several days from one snapshot if the cache holds their slots', async () => {
  const [several, single] = [await streamed(enough), await streamed(0)]
  const { text } = await computedAnew(site.reads, query)
  assert.equal(several.text, text)
  assert.equal(single.text, text)
  assert.ok(single.snapshots >= days, `${single.snapshots} snapshots, a day each`)
  assert.ok(several.snapshots <= days / 2, `${several.snapshots} snapshots instead of ${single.snapshots}`)
})

test('other work runs between two days of a streamed list, also if all their slots are cached', async () => {
  const { cache } = await streamed(enough)
  const turns = await turnsDuring(async () => textOf(await cache.list(query)))
  assert.ok(turns >= days, `${turns} turns of the event loop for ${days} days`)
})
