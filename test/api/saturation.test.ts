import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setInterval } from 'node:timers/promises'
import { standardSite } from '../support/clinic.ts'
import { generateLoad, type LoadMeasurements } from '../support/load.ts'
import { proved } from '../support/proof.ts'
import { percentile, scale, suiteTimeout, timeLimitFactor } from '../support/scale.ts'
import { type ServiceProcess, startService } from '../support/service.ts'

const seconds = Math.min(10, 2 * scale)
/**
 * Whether this test has the machine to itself, as in a full run (`scale` above 1); otherwise other tests compete with
 * this one.
 */
const quiet = scale > 1
/**
 * The number of connections of the clients. It exceeds the number of requests that the service queues, so that the
 * service sheds the excess; with fewer, every connection would wait for a response and the excess would not be sent.
 */
const connections = 1_500
const least = quiet ? 0.8 : 0.2

let service: ServiceProcess
before(async () => {
  // The availability cache is disabled, because clients on this machine cannot saturate a service that sends cached
  // responses.
  const env = { DAYBOOK_LOG_LEVEL: 'error', DAYBOOK_AVAILABILITY_MEMORY: '0' }
  service = await startService({ site: standardSite, env, serve: ['--max-connections', String(2 * connections)] })
})
after(() => service.kill())

for (const [times, name] of [
  [2, 'twice'],
  [10, 'ten times'],
] as const) {
  test(`saturated with ${name}, the service keeps answering and sheds the rest at once`, {
    timeout: suiteTimeout,
  }, async (t) => {
    if (times === 2 && !quiet) {
      t.skip('only in a full run: it takes long until a queue is there, on a machine of its own')
      return
    }
    const peakBefore = await generateLoad({ ...question(), connections: 16 })
    const perSecond = times * peakBefore.goodput
    const [over, health] = await watched(() => generateLoad({ ...question(), connections, perSecond }))
    const peakAfter = await generateLoad({ ...question(), connections: 16 })
    const peak = (peakBefore.goodput + peakAfter.goodput) / 2
    const share = over.goodput / peak
    proved(t, `A7 ${name}`, figures({ over, health, peak, share }))
    assert.ok(over.shed.length > 0, 'more was asked than it can answer')
    const meant = perSecond * seconds
    if (quiet) assert.ok(over.unsent < meant / 20, `${over.unsent} of ${Math.round(meant)} were never sent`)
    assert.ok(share >= least, `it served ${(share * 100).toFixed(0)} % of what it can`)
    assert.ok(
      Math.max(...over.served) < 4_000 * timeLimitFactor,
      `one that was admitted took ${Math.max(...over.served)} ms`,
    )
    assert.ok(
      percentile(over.shed, 0.99) < 50 * timeLimitFactor,
      `it took ${percentile(over.shed, 0.99)} ms to say "later"`,
    )
    assert.ok(percentile(health, 0.99) < 100 * timeLimitFactor, `health took ${percentile(health, 0.99)} ms`)
  })
}

function question() {
  const now = Math.floor(Date.now() / 1000)
  const path = `/api/v1/availability/get/?min_timestamp=${now}&max_timestamp=${now + 2 * 86_400}`
  return { url: service.url, token: service.readToken, path, seconds }
}

/**
 * Runs a load and health checks at the same time; returns the results of the load and the durations of the checks in
 * milliseconds.
 */
async function watched(loading: () => Promise<LoadMeasurements>): Promise<[LoadMeasurements, number[]]> {
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
  readonly over: LoadMeasurements
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
