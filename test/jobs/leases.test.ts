import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { JobResult, JobRun } from '../../src/jobs/job.ts'
import { listJobs } from '../../src/jobs/list.ts'
import { JobRunner } from '../../src/jobs/runner.ts'
import type { OpenStorage } from '../../src/server/open.ts'
import { contextWith, databasesHere, type FreshDatabase, freshDatabase, openStorage } from '../support/databases.ts'
import type { operations } from './job-operations.ts'

type Operations = typeof operations

const leaseSeconds = 30

for (const { kind, skip } of await databasesHere()) {
  describe(`runs that outlast their lease on ${kind}`, { skip }, () => {
    let fresh: FreshDatabase
    let storage: OpenStorage<Operations>
    let now: number
    beforeEach(async () => {
      fresh = await freshDatabase(kind)
      const table = new URL('./job-operations.ts', import.meta.url)
      storage = await openStorage<Operations>({ at: fresh.at, operations: table })
      now = 1_800_000_000
      await storage.perform('site.prepare', { siteUrl: '' }, contextWith({ now }))
    })
    afterEach(async () => {
      await storage.close()
      await fresh.remove()
    })

    const silent = () => {}
    const runnerOf = (run: (run: JobRun) => Promise<JobResult>) => {
      const app = { ...storage, now: () => now, log: { info: silent, warn: silent, error: silent } }
      const handler = { kind: 'mail', concurrency: 4, maxAttempts: 5, run: (_: unknown, one: JobRun) => run(one) }
      return new JobRunner({ app, handlers: [handler], schedules: [], alone: false })
    }
    const enqueue = async (key: string): Promise<void> => {
      assert.ok(
        'ok' in (await storage.perform('test.enqueue', { jobs: [{ kind: 'mail', key }] }, contextWith({ now }))),
      )
    }
    const jobs = async () => (await listJobs(storage.db, {}, { limit: 10, offset: 0 })).page
    /** A runner whose runs of the job `long` last until `end` is called; its runs are listed in `runs`. */
    const slowRunner = () => {
      const runs: JobRun[] = []
      const gate = Promise.withResolvers<void>()
      const runner = runnerOf(async (run) => {
        runs.push(run)
        if (run.key === 'long') await gate.promise
        return 'done'
      })
      return { runner, runs, end: gate.resolve, keys: () => runs.map(({ key, attempt }) => `${key} ${attempt}`) }
    }
    /**
     * Adds the job `short` and has the runner claim jobs until `short` runs, while `long` still runs; returns the runs
     * that it has started, and the promise of the end of all.
     */
    const claimAgain = async ({ runner, runs, keys }: ReturnType<typeof slowRunner>) => {
      await enqueue('short')
      const done = runner.runDue()
      while (!runs.some(({ key }) => key === 'short')) await new Promise(setImmediate)
      return { done, seen: keys() }
    }

    test('a runner that was suspended for longer than its lease renews the lease and runs the job once', async () => {
      const slow = slowRunner()
      await enqueue('long')
      const first = slow.runner.runDue()
      while (slow.runs.length === 0) await new Promise(setImmediate)
      now += leaseSeconds
      const { done, seen } = await claimAgain(slow)
      // Another runner does not take the job over, because its lease has been renewed.
      await runnerOf(async () => assert.fail('The job ran twice.')).runDue()
      slow.end()
      await Promise.all([first, done])
      assert.deepEqual(seen, ['long 1', 'short 1'])
      assert.equal(slow.runs[0]?.signal.aborted, false)
      assert.deepEqual(await jobs(), [])
    })

    test('a run that lost its lease is aborted, and its runner repeats the job only after its end', async () => {
      const slow = slowRunner()
      await enqueue('long')
      const first = slow.runner.runDue()
      while (slow.runs.length === 0) await new Promise(setImmediate)
      now += leaseSeconds
      await runnerOf(async () => ({ retryAt: now + 1, why: 'busy' })).runDue()
      now += 1
      const { done, seen } = await claimAgain(slow)
      assert.deepEqual([seen, slow.runs[0]?.signal.aborted], [['long 1', 'short 1'], true])
      slow.end()
      await Promise.all([first, done])
      await slow.runner.runDue()
      assert.deepEqual(slow.keys(), ['long 1', 'short 1', 'long 3'])
      assert.deepEqual(await jobs(), [])
    })

    test('a lease that expired after it was lost is not released by the runner whose run goes on', async () => {
      const slow = slowRunner()
      await enqueue('long')
      const first = slow.runner.runDue()
      while (slow.runs.length === 0) await new Promise(setImmediate)
      now += leaseSeconds
      const claim = { owner: 'killed', leaseSeconds, maxAttempts: { mail: 5 }, running: [] }
      const kinds = [{ kind: 'mail', free: 1, laneConcurrency: null, lanes: {} }]
      await storage.perform('jobs.claim', { ...claim, kinds }, contextWith({ now }))
      now += leaseSeconds
      const { done, seen } = await claimAgain(slow)
      slow.end()
      await Promise.all([first, done])
      assert.deepEqual(seen, ['long 1', 'short 1'])
      await slow.runner.runDue()
      assert.deepEqual(slow.keys(), ['long 1', 'short 1', 'long 3'])
    })
  })
}
