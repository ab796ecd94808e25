import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { collectGarbage } from '../../../test/support/collect-garbage.ts'
import { plan } from '../../../test/support/plan.ts'
import { dayLength } from '../../scheduling/invalidation.ts'
import { Changes } from './changes.ts'
import { ClockCache } from './clock-cache.ts'
import { computeUnits, sourceUnitsOf } from './units.ts'

const firstDay = 20_000
const days = 28

/** Computes and caches the units of four weeks. Returns them, and a weak reference to the plan, which the caller lacks. */
function cachedUnits() {
  const loaded = { ...plan({ providers: 3 }), validity: new Map() }
  const [service] = loaded.services
  assert.ok(service)
  const range = { sources: sourceUnitsOf(loaded, service), firstDay, lastDay: firstDay + days - 1 }
  const cache = new ClockCache(10_000_000)
  computeUnits(loaded, range, { cache, changes: new Changes(), sequence: 0 })
  return { ...range, cache, loaded: new WeakRef(loaded) }
}

test('cached units do not retain the plan from which they were computed', async () => {
  const { sources, cache, loaded } = cachedUnits()
  // A weak reference is not cleared in the turn of the event loop in which it was created.
  await setImmediate()
  collectGarbage()
  assert.equal(loaded.deref(), undefined)
  // The units are still cached.
  assert.deepEqual(
    sources.map((source) => source.days.size),
    [days, days, days],
  )
  const opened = sources.flatMap((source) => [...source.days.values()].flatMap(({ openings }) => openings.starts))
  assert.equal(opened.length, 3 * 4 * 3)
  assert.ok(opened.every((start) => start >= firstDay * dayLength))
  assert.ok(cache.size > 0)
})
