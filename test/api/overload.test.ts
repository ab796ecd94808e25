import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { standardSite } from '../support/clinic.ts'
import { proved } from '../support/proof.ts'
import { median, scaled, timeLimitFactor } from '../support/scale.ts'
import { type ServiceProcess, startService } from '../support/service.ts'

const most = 20
const asking = 120
const rounds = scaled(20)

let service: ServiceProcess
before(async () => {
  service = await startService({ site: standardSite, serve: ['--max-requests', String(most)] })
})
after(() => service.kill())

test('beyond its limit the service sheds requests at once, serves the admitted ones, and stays healthy', async (t) => {
  const now = Math.floor(Date.now() / 1000)
  const query = { min_timestamp: now, max_timestamp: now + 86_400 }
  const shed: number[] = []
  const shedByRound: number[] = []
  const served: number[] = []
  const health: number[] = []
  let done = false
  const watched = (async () => {
    while (!done) {
      const since = performance.now()
      assert.equal((await fetch(`${service.url}/health/live`)).status, 200)
      health.push(performance.now() - since)
    }
  })()
  for (let round = 0; round < rounds; round++) {
    const before = shed.length
    await Promise.all(
      Array.from({ length: asking }, async () => {
        const since = performance.now()
        const { status, headers, body } = await service.call('GET', '/availability/get/', { query })
        const took = performance.now() - since
        if (status === 200) return served.push(took)
        assert.equal(status, 503)
        assert.equal(headers.get('retry-after'), '1')
        assert.equal(body.code, 'rest_unavailable')
        return shed.push(took)
      }),
    )
    shedByRound.push(median(shed.slice(before)))
  }
  done = true
  await watched
  assert.ok(shed.length > 0, 'more was asked than it admits')
  assert.ok(served.length >= most * rounds, `${served.length} were served`)
  // Each entry of `shedByRound` is the median response time, in milliseconds, of the refused requests (503) of one
  // round. The time limit applies to the shortest entry, because the clients share the processors with the service.
  const quickest = Math.min(...shedByRound)
  proved(t, 'A7 limit', {
    served: served.length,
    shed: shed.length,
    'worst served ms': Math.ceil(Math.max(...served)),
    'worst quickest shed ms': Math.ceil(quickest),
    'worst health median ms': Math.ceil(median(health)),
  })
  assert.ok(quickest < 50 * timeLimitFactor, `it took ${quickest} ms to say "later"`)
  assert.ok(median(health) < 100 * timeLimitFactor, `health took ${median(health)} ms`)
  assert.ok(Math.max(...served) < 4_000 * timeLimitFactor, `the slowest admitted took ${Math.max(...served)} ms`)
})
