import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { publicApi } from '../../src/contract/public-api.ts'
import { proved } from '../support/proof.ts'
import { scaled, seed, seededRandom, suiteTimeout } from '../support/scale.ts'
import { eachDatabase } from '../support/service.ts'
import { anyCall, type FuzzCall } from './calls.ts'
import { FuzzWorker } from './worker.ts'

const slotSources = 4
const calls = scaled(1_500)
// The number of requests after which the fuzzing continues with a new site, because the growing event log slows a site
// down.
const callsASite = 50_000

const site = {
  site: { name: 'Fuzz', timezone: 'Europe/Berlin', siteUrl: 'https://fuzz.example' },
  services: [
    { key: 'one', name: 'One', durationMinutes: 30 },
    { key: 'many', name: 'Many', durationMinutes: 60, capacity: 3, horizonDays: 20 },
    { key: 'pool', name: 'Pool', durationMinutes: 60, routingMode: 'round_robin' },
  ],
  providers: [1, 2].map((id) => ({
    id,
    name: `P${id}`,
    email: `p${id}@fuzz.example`,
    weekly: { mon: ['09:00-12:00'], fri: ['10:00-11:00'] },
  })),
  customers: [{ key: 'c', name: 'C', email: 'c@fuzz.example' }],
}

eachDatabase((kind, open) => {
  test('any request gets a documented and truthful response', { timeout: suiteTimeout * 2 }, async (t) => {
    const figures = { requests: 0, made: 0, removed: 0, broken: 0, fits: 0, unauthorised: 0, methods: 0, busy: 0 }
    const statuses = new Map<number, number>()
    const repeated: string[] = []
    const since = performance.now()
    for (let left = calls, round = 0; left > 0; left -= callsASite, round += 1) {
      const service = await open({
        site,
        env: { DAYBOOK_LOG_LEVEL: 'error', DAYBOOK_WRONG_TOKENS_PER_MINUTE: '1000000' },
      })
      const each = Math.ceil(Math.min(left, callsASite) / slotSources)
      const failed = new AbortController()
      const outcomes = await Promise.allSettled(
        Array.from({ length: slotSources }, async (_, number) => {
          const laneSeed = seed + round * slotSources + number
          const worker = new FuzzWorker(service, seededRandom(laneSeed))
          const run = (call: FuzzCall) => (failed.signal.aborted ? undefined : worker.run(call))
          const fuzzing = fc.assert(
            fc.asyncProperty(anyCall, async (call) => run(call)),
            { numRuns: each, seed: laneSeed },
          )
          // After a failure the other workers send nothing more: they would report, and shrink, failures that the end
          // of the service causes.
          await fuzzing.then(undefined, (error: unknown) => {
            failed.abort()
            throw error
          })
          worker.close()
          repeated.push(...worker.repeated)
          for (const name of Object.keys(figures) as (keyof typeof figures)[]) figures[name] += worker.figures[name]
          for (const [status, count] of worker.statuses) statuses.set(status, (statuses.get(status) ?? 0) + count)
        }),
      )
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
      // A request for which no connection to PostgreSQL comes free in time is answered 503, and the service logs why.
      const ofRepeated = (line: string) => repeated.some((id) => line.includes(`"requestId":"${id}"`))
      const logged = service.stderr.split('\n').filter((line) => !ofRepeated(line))
      assert.equal(logged.join('\n'), '', 'The service logged an error.')
      await service.stop()
    }
    const rate = Math.round((figures.requests * 1000) / (performance.now() - since))
    for (const status of [200, 201, 400, 401, 403, 404]) assert.ok((statuses.get(status) ?? 0) > 0, `${status} came`)
    proved(t, `A4 ${kind}`, figures)
    t.diagnostic(
      `${rate} requests a second; ${[...statuses].map(([status, count]) => `${status} × ${count}`).join(', ')}`,
    )
  })
})

test('every row of the contract is fuzzed', () => {
  const drawn = new Set(fc.sample(anyCall, { numRuns: 2_000, seed: 1 }).map(({ row }) => row))
  assert.deepEqual([...drawn].toSorted(), Object.keys(publicApi).toSorted())
})
