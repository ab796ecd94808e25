import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { machineClock } from '../../src/clock.ts'
import { listJobs } from '../../src/jobs/list.ts'
import { JobRunner } from '../../src/jobs/runner.ts'
import type { OpenStorage } from '../../src/server/open.ts'
import { contextWith, databasesHere, type FreshDatabase, freshDatabase, openStorage } from '../support/databases.ts'
import type { operations } from './job-operations.ts'

type Operations = typeof operations

for (const { kind, skip } of await databasesHere()) {
  describe(`jobs of nodes whose clock is compared with that of ${kind}`, { skip }, () => {
    let fresh: FreshDatabase
    let storage: OpenStorage<Operations>
    beforeEach(async () => {
      fresh = await freshDatabase(kind)
      const table = new URL('./job-operations.ts', import.meta.url)
      storage = await openStorage<Operations>({ at: fresh.at, operations: table })
      await storage.perform('site.prepare', { siteUrl: '' }, contextWith({ now: Math.floor(machineClock()) }))
    })
    afterEach(async () => {
      await storage.close()
      await fresh.remove()
    })

    const silent = () => {}
    const log = { info: silent, warn: silent, error: silent }
    const node = (clock: () => number, run: () => Promise<void>) => {
      const app = { ...storage, now: () => Math.floor(clock()), log }
      const schedules = [{ kind: 'sweep', every: 300, atStart: true as const, run }]
      return new JobRunner({ app, handlers: [], schedules, alone: false, machineClock: clock })
    }
    const sweep = async () => {
      const [job, ...more] = (await listJobs(storage.db, {}, { limit: 10, offset: 0 })).page
      assert.ok(job && more.length === 0)
      return job
    }

    for (const [seconds, name] of [
      [25 * 3_600, 'a day ahead'],
      [60, 'a minute ahead'],
      [-60, 'a minute behind'],
    ] as const)
      test(`a node that is ${name} starts no job until its clock is corrected`, async () => {
        let drift = 0
        let runs = 0
        const runner = node(
          () => machineClock() + drift,
          async () => {
            runs += 1
          },
        )
        // The job is added an hour ago, so that it is due by a clock that is a minute behind as well.
        drift = -3_600
        await runner.prepare()
        drift = seconds
        await runner.runDue()
        assert.equal(runs, 0)
        drift = 0
        await runner.runDue()
        assert.equal(runs, 1)
      })

    test('a node that is a minute ahead does not take over a job that another node runs', async () => {
      const began = Promise.withResolvers<void>()
      const gate = Promise.withResolvers<void>()
      let runs = 0
      const right = node(machineClock, () => {
        runs += 1
        began.resolve()
        return gate.promise
      })
      const ahead = node(
        () => machineClock() + 60,
        async () => {
          runs += 1
        },
      )
      await right.prepare()
      const running = right.runDue()
      await began.promise
      await ahead.runDue()
      assert.deepEqual([(await sweep()).state, runs], ['running', 1])
      gate.resolve()
      await running
      assert.deepEqual([(await sweep()).state, runs], ['due', 1])
    })

    test('a periodic job runs once although the clock was set back by a day, and again after its period', async () => {
      let now = 1_800_000_000
      let runs = 0
      const run = async () => {
        runs += 1
      }
      const app = { ...storage, now: () => now, log }
      const schedules = [{ kind: 'sweep', every: 300, atStart: true as const, run }]
      const runner = new JobRunner({ app, handlers: [], schedules, alone: false })
      await runner.prepare()
      const counts: number[] = []
      // The node of another clock may be some seconds ahead.
      for (const step of [0, -5, 5, -86_400, 0, 299, 1]) {
        now += step
        await runner.runDue()
        counts.push(runs)
      }
      assert.deepEqual(counts, [1, 1, 1, 2, 2, 2, 3])
    })
  })
}
