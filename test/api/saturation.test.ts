import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setInterval } from 'node:timers/promises'
import { standardSite } from '../support/clinic.ts'
import { load, type Measured } from '../support/load.ts'
import { proved } from '../support/proof.ts'
import { late, patience, percentile, scale } from '../support/scale.ts'
import { type Service, startService } from '../support/service.ts'

const seconds = Math.min(10, 2 * scale)
/** In a full run the machine serves this test alone; otherwise other tests compete for a processor. */
const quiet = scale > 1
/** More than the queue can hold, so that requests beyond it cannot be sent. */
const connections = 1_500
const least = quiet ? 0.8 : 0.2

let service: Service
before(async () => {
  // Without a cache, since a cheap query could not saturate the service from here.
  const env = { DAYBOOK_LOG_LEVEL: 'error', DAYBOOK_AVAILABILITY_MEMORY: '0' }
  service = await startService({ site: standardSite, env, serve: ['--max-connections', String(2 * connections)] })
})
after(() => service.kill())

for (const [times, name] of [
  [2, 'twice'],
  [10, 'ten times'],
] as const) {
  test(`saturated with ${name}, the service keeps answering and sheds the rest at once`, {
    timeout: patience,
  }, async (t) => {
    if (times === 2 && !quiet) {
      t.skip('only in a full run: it takes long until a queue is there, on a machine of its own')
      return
    }
    const peakBefore = await load({ ...question(), connections: 16 })
    const perSecond = times * peakBefore.goodput
    const [over, health] = await watched(() => load({ ...question(), connections, perSecond }))
    const peakAfter = await load({ ...question(), connections: 16 })
    const peak = (peakBefore.goodput + peakAfter.goodput) / 2
    const share = over.goodput / peak
    proved(t, `A7 ${name}`, figures({ over, health, peak, share }))
    assert.ok(over.shed.length > 0, 'more was asked than it can answer')
    const meant = perSecond * seconds
    if (quiet) assert.ok(over.unsent < meant / 20, `${over.unsent} of ${Math.round(meant)} were never sent`)
    assert.ok(share >= least, `it served ${(share * 100).toFixed(0)} % of what it can`)
    assert.ok(Math.max(...over.served) < 4_000 * late, `one that was admitted took ${Math.max(...over.served)} ms`)
    assert.ok(percentile(over.shed, 0.99) < 50 * late, `it took ${percentile(over.shed, 0.99)} ms to say "later"`)
    assert.ok(percentile(health, 0.99) < 100 * late, `health took ${percentile(health, 0.99)} ms`)
  })
}

function question() {
  const now = Math.floor(Date.now() / 1000)
  const path = `/api/v1/availability/get/?min_timestamp=${now}&max_timestamp=${now + 2 * 86_400}`
  return { url: service.url, token: service.readToken, path, seconds }
}

/** Runs a load and measures its results together with health checks. */
async function watched(loading: () => Promise<Measured>): Promise<[Measured, number[]]> {
  const health: number[] = []
  let going = true
  const watching = (async () => {
    for await (const _ of setInterval(50)) {
      if (!going) return
      const since = performance.now()
      assert.equal((await fetch(`${service.url}/health/live`)).status, 200)
      health.push(performance.now() - since)
    }
  })()
  try {
    return [await loading(), health]
  } finally {
    going = false
    await watching
  }
}

interface Seen {
  readonly over: Measured
  readonly health: readonly number[]
  readonly peak: number
  readonly share: number
}

function figures({ over, health, peak, share }: Seen) {
  return {
    served: over.served.length,
    shed: over.shed.length,
    'never sent': over.unsent,
    'peak a second': Math.round(peak),
    'worst goodput lost percent': Math.max(0, Math.round(100 - share * 100)),
    'worst served ms': Math.ceil(Math.max(...over.served)),
    'worst shed median ms': Math.ceil(percentile(over.shed, 0.5)),
    'worst shed ninety nine of a hundred ms': Math.ceil(percentile(over.shed, 0.99)),
    'worst health ninety nine of a hundred ms': Math.ceil(percentile(health, 0.99)),
  }
}
