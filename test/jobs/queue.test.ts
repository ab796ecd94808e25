import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { JobHandler, JobResult, JobRun, Schedule } from '../../src/jobs/job.ts'
import { jobFigures, listJobs } from '../../src/jobs/list.ts'
import type { NewJob } from '../../src/jobs/queue.ts'
import { JobRunner } from '../../src/jobs/runner.ts'
import type { OpenStorage } from '../../src/server/open.ts'
import { contextWith, databasesHere, type FreshDatabase, freshDatabase, openStorage } from '../support/databases.ts'
import { pause } from '../support/pause.ts'
import type { operations } from './job-operations.ts'

const table = new URL('./job-operations.ts', import.meta.url)
const worker = fileURLToPath(new URL('./held-job.ts', import.meta.url))
const start = 1_800_000_000
const leaseSeconds = 30

type Operations = typeof operations

for (const { kind, skip } of await databasesHere()) {
  describe(`the queue of jobs on ${kind}`, { skip, timeout: 600_000 }, () => {
    let fresh: FreshDatabase
    let storage: OpenStorage<Operations>
    let now: number
    let logged: string[]
    beforeEach(async () => {
      fresh = await freshDatabase(kind)
      storage = await openStorage<Operations>({ at: fresh.at, operations: table })
      now = start
      logged = []
      await storage.perform('site.prepare', { siteUrl: '' }, contextWith({ now }))
    })
    afterEach(async () => {
      await storage.close()
      await fresh.remove()
    })

    const enqueue = async (...jobs: NewJob[]): Promise<void> => {
      const outcome = await storage.perform('test.enqueue', { jobs }, contextWith({ now }))
      assert.ok('ok' in outcome, JSON.stringify(outcome))
    }
    const app = () => {
      const log = (_: object, text: string) => void logged.push(text)
      return { ...storage, now: () => now, log: { info: log, warn: log, error: log } }
    }
    const runnerOf = (handlers: readonly JobHandler[], schedules: readonly Schedule[] = []) =>
      new JobRunner({ app: app(), handlers, schedules, alone: false })
    const handler = (
      run: (payload: unknown, run: JobRun) => Promise<JobResult>,
      more: Partial<JobHandler> = {},
    ): JobHandler => ({ kind: 'mail', concurrency: 4, maxAttempts: 3, run, ...more })
    const jobs = async () => (await listJobs(storage.db, {}, { limit: 1_000, offset: 0 })).page
    const only = async () => {
      const [job, ...more] = await jobs()
      assert.ok(job && more.length === 0)
      return job
    }
    const doAs = async (name: 'jobs.retry' | 'jobs.discard', id: string) => {
      const outcome = await storage.perform(name, { id }, contextWith({ now }))
      return 'refused' in outcome ? outcome.refused.code : 'ok' in outcome
    }

    test('a job runs with its payload once it is due, and is then gone', async () => {
      const seen: unknown[] = []
      const runner = runnerOf([
        handler(async (payload, { key, attempt }) => {
          seen.push([payload, key, attempt])
          return 'done'
        }),
      ])
      await enqueue({ kind: 'mail', key: 'a', runAt: start + 60, payload: { to: 'jo' } })
      await runner.runDue()
      assert.deepEqual(seen, [])
      now = start + 60
      await runner.runDue()
      assert.deepEqual(seen, [[{ to: 'jo' }, 'a', 1]])
      assert.deepEqual(await jobs(), [])
    })

    test('a job of a refused operation does not exist', async () => {
      const outcome = await storage.perform('test.enqueue', { jobs: [{ kind: 'mail' }], refused: true }, contextWith())
      assert.ok('refused' in outcome)
      assert.deepEqual(await jobs(), [])
    })

    test('a commit wakes a started runner, which stops after the runs in progress', async () => {
      const { promise: ran, resolve } = Promise.withResolvers<void>()
      const runner = runnerOf([
        handler(async () => {
          resolve()
          return 'done'
        }),
      ])
      await runner.prepare()
      runner.start()
      await enqueue({ kind: 'mail' })
      runner.wake()
      await ran
      await runner.stop()
      assert.deepEqual(await jobs(), [])
    })

    test('two runners never run one job twice', async () => {
      const seen: string[] = []
      const counting = handler(
        async (_, { key }) => {
          seen.push(key)
          return 'done'
        },
        { concurrency: 7 },
      )
      await enqueue(...Array.from({ length: 200 }, (_, i) => ({ kind: 'mail', key: String(i) })))
      await Promise.all([runnerOf([counting]).runDue(), runnerOf([counting]).runDue(), runnerOf([counting]).runDue()])
      assert.equal(seen.length, 200)
      assert.equal(new Set(seen).size, 200)
    })

    test('a job whose process was killed runs again', async () => {
      await enqueue({ kind: 'mail', key: 'a' })
      await storage.close()
      const child = spawn(process.execPath, [worker, JSON.stringify(fresh.at), String(now)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      await once(child.stdout, 'data')
      child.kill('SIGKILL')
      await once(child, 'exit')
      storage = await openStorage<Operations>({ at: fresh.at, operations: table })
      const attempts: number[] = []
      const runner = runnerOf([
        handler(async (_, { attempt }) => {
          attempts.push(attempt)
          return 'done'
        }),
      ])
      now = start + leaseSeconds - 1
      await runner.runDue()
      assert.deepEqual(attempts, [])
      now = start + leaseSeconds
      await runner.runDue()
      assert.deepEqual(attempts, [2])
    })

    test('a process that starts alone repeats what the last one had not finished, without waiting', async () => {
      await enqueue({ kind: 'mail', key: 'a' })
      const claim = {
        owner: 'killed',
        leaseSeconds,
        maxAttempts: {},
        running: [],
        kinds: [{ kind: 'mail', free: 1, laneConcurrency: null, lanes: {} }],
      }
      await storage.perform('jobs.claim', claim, contextWith({ now }))
      let runs = 0
      const run = async (): Promise<JobResult> => {
        runs += 1
        return 'done'
      }
      const runner = new JobRunner({ app: app(), handlers: [handler(run)], schedules: [], alone: true })
      await runner.prepare()
      await runner.runDue()
      assert.equal(runs, 1)
    })

    test('a job that ends every process is parked as well', async () => {
      await enqueue({ kind: 'mail' })
      const claim = {
        owner: 'killed',
        leaseSeconds,
        maxAttempts: { mail: 2 },
        running: [],
        kinds: [{ kind: 'mail', free: 1, laneConcurrency: null, lanes: {} }],
      }
      for (let attempt = 0; attempt < 3; attempt++) {
        await storage.perform('jobs.claim', claim, contextWith({ now }))
        now += leaseSeconds
      }
      const { state, lastError } = await only()
      assert.deepEqual([state, lastError], ['parked', 'The process ended during the run.'])
    })

    test('a failing job is retried with growing delays, then parked with its error', async () => {
      const failing = handler(async () => {
        throw new Error('no answer')
      })
      const runner = runnerOf([failing])
      await enqueue({ kind: 'mail' })
      await runner.runDue()
      const first = await only()
      assert.deepEqual([first.state, first.attempts, first.lastError], ['due', 1, 'no answer'])
      assert.ok(first.runAt >= start + 5 && first.runAt <= start + 6, String(first.runAt - start))
      now = first.runAt
      await runner.runDue()
      const second = await only()
      assert.ok(second.runAt >= now + 10 && second.runAt <= now + 11, String(second.runAt - now))
      now = second.runAt
      await runner.runDue()
      const parked = await only()
      assert.deepEqual([parked.state, parked.attempts, parked.lastError], ['parked', 3, 'no answer'])
      now += 100_000
      await runner.runDue()
      assert.equal((await only()).attempts, 3)
      assert.deepEqual(new Set(logged), new Set(['a job failed']))
    })

    test('a kind may list its own delays, or say when to try again, or give up', async () => {
      const results: JobResult[] = [{ retryAt: start + 77, why: 'busy' }, { park: 'gone' }]
      const runner = runnerOf([handler(async () => results.shift() ?? 'done')])
      await enqueue({ kind: 'mail' })
      await runner.runDue()
      const retried = await only()
      assert.deepEqual([retried.runAt, retried.lastError], [start + 77, 'busy'])
      now = start + 77
      await runner.runDue()
      const { state, lastError } = await only()
      assert.deepEqual([state, lastError], ['parked', 'gone'])
      const delayed = handler(async () => Promise.reject(new Error('x')), { kind: 'hook', delays: [300] })
      await enqueue({ kind: 'hook' })
      await runnerOf([delayed]).runDue()
      const hook = (await jobs()).find((job) => job.kind === 'hook')
      assert.ok(hook && hook.runAt >= now + 300 && hook.runAt <= now + 330)
    })

    test('a job with the key of another replaces it, also while that one runs', async () => {
      const seen: unknown[] = []
      const replace = (payload: string, runAt: number) => enqueue({ kind: 'mail', key: 'a', payload, runAt })
      const runner = runnerOf([
        handler(async (payload) => {
          seen.push(payload)
          if (payload === 'second') await replace('third', start + 500)
          return 'done'
        }),
      ])
      await replace('first', start + 100)
      await replace('second', start)
      await runner.runDue()
      assert.deepEqual(seen, ['second'])
      assert.equal((await only()).runAt, start + 500)
      now = start + 500
      await runner.runDue()
      assert.deepEqual(seen, ['second', 'third'])
    })

    test('a cancelled job does not run, and one cancelled during its run is not repeated', async () => {
      const cancel = () => storage.perform('test.cancel', { kind: 'mail', keys: ['a'] }, contextWith({ now }))
      let runs = 0
      const runner = runnerOf([
        handler(async () => {
          runs += 1
          await cancel()
          throw new Error('after the cancellation')
        }),
      ])
      await enqueue({ kind: 'mail', key: 'a' })
      await cancel()
      await runner.runDue()
      assert.equal(runs, 0)
      await enqueue({ kind: 'mail', key: 'a' })
      await runner.runDue()
      assert.equal(runs, 1)
      assert.deepEqual(await jobs(), [])
    })

    test('a lane is limited, and does not delay the others', async () => {
      const gate = Promise.withResolvers<void>()
      const running: string[] = []
      const limited = handler(
        async (_, { key }) => {
          running.push(key)
          if (key.startsWith('slow')) await gate.promise
          return 'done'
        },
        { concurrency: 4, laneConcurrency: 2 },
      )
      const of = (lane: string, count: number) =>
        Array.from({ length: count }, (_, i) => ({ kind: 'mail', key: `${lane}${i}`, lane }))
      await enqueue(...of('slow', 6), ...of('quick', 6))
      const runner = runnerOf([limited])
      await runner.prepare()
      runner.start()
      while ((await jobs()).some(({ key }) => key.startsWith('quick'))) await pause()
      assert.equal(running.filter((key) => key.startsWith('slow')).length, 2)
      gate.resolve()
      while ((await jobs()).length > 0) await pause()
      await runner.stop()
      assert.equal(running.length, 12)
    })

    test('a stopping service aborts a run, which is repeated without counting as a failure', async () => {
      const { promise: began, resolve } = Promise.withResolvers<void>()
      const runner = runnerOf([
        handler(
          (_, { signal }) =>
            new Promise((_, failed) => {
              signal.addEventListener('abort', () => failed(new Error('aborted')))
              resolve()
            }),
        ),
      ])
      await enqueue({ kind: 'mail' })
      runner.start()
      await began
      await runner.stop()
      const { state, attempts, lastError } = await only()
      assert.deepEqual([state, attempts, lastError], ['due', 0, null])
    })

    test('a schedule runs once for all nodes, again after its period, and soon after a failure', async () => {
      let runs = 0
      const schedule: Schedule = {
        kind: 'sweep',
        every: 3_600,
        atStart: true,
        run: async () => {
          runs += 1
          if (runs === 2) throw new Error('disk full')
        },
      }
      const nodes = [runnerOf([], [schedule]), runnerOf([], [schedule])]
      const everywhere = () => Promise.all(nodes.map((node) => node.runDue()))
      for (const node of nodes) await node.prepare()
      await everywhere()
      assert.equal(runs, 1)
      now += 3_599
      await everywhere()
      assert.equal(runs, 1)
      now += 1
      await everywhere()
      assert.equal(runs, 2)
      assert.equal((await only()).runAt, now + 60)
      now += 60
      await everywhere()
      assert.deepEqual([runs, (await only()).lastError], [3, null])
    })

    test('outbound jobs wait while outbound work is paused; others run', async () => {
      const seen: string[] = []
      const note = (name: string) => async (): Promise<JobResult> => {
        seen.push(name)
        return 'done'
      }
      const runner = runnerOf([handler(note('mail'), { outbound: true }), handler(note('local'), { kind: 'local' })])
      await enqueue({ kind: 'mail' }, { kind: 'local' })
      await storage.perform('test.pause', {}, contextWith({ now }))
      await runner.runDue()
      assert.deepEqual(seen, ['local'])
      await storage.perform('jobs.resume-outbound', {}, contextWith({ now }))
      await runner.runDue()
      assert.deepEqual(seen, ['local', 'mail'])
    })

    test('jobs that become due later are counted up to 10,001, and all others exactly', async () => {
      const later = Array.from({ length: 10_002 }, () => ({ kind: 'mail', runAt: start + 60 }))
      await enqueue(...later, { kind: 'mail', runAt: start - 7 }, { kind: 'mail' })
      const figures = await jobFigures(storage.db, now)
      assert.deepEqual(figures, { due: 2, scheduled: 10_001, running: 0, parked: 0, oldestDueAge: 7 })
      const { page, total } = await listJobs(storage.db, {}, { limit: 3, offset: 0 })
      assert.deepEqual(
        page.map(({ runAt }) => runAt - start),
        [-7, 0, 60],
      )
      assert.equal(total, 10_001)
    })

    test('a parked job can be retried or discarded; a running job and a schedule cannot be discarded', async () => {
      const failing = handler(async () => ({ park: 'refused' }))
      const runner = runnerOf([failing], [{ kind: 'sweep', every: 60, run: async () => {} }])
      await runner.prepare()
      await enqueue({ kind: 'mail', key: 'a' }, { kind: 'mail', key: 'b' })
      await runner.runDue()
      const figures = await jobFigures(storage.db, now)
      assert.deepEqual(figures, { due: 0, scheduled: 1, running: 0, parked: 2, oldestDueAge: 0 })
      const { page } = await listJobs(storage.db, { state: 'parked' }, { limit: 10, offset: 0 })
      const [one, other] = page
      assert.ok(one && other)
      assert.equal(await doAs('jobs.retry', one.id), true)
      assert.equal(await doAs('jobs.discard', other.id), true)
      assert.equal(await doAs('jobs.discard', other.id), 'job_not_found')
      now += 5
      assert.equal((await jobFigures(storage.db, now)).oldestDueAge, 5)
      const sweep = (await jobs()).find((job) => job.kind === 'sweep')
      assert.equal(await doAs('jobs.discard', sweep?.id ?? ''), 'job_periodic')
      const claim = {
        owner: 'other',
        leaseSeconds,
        maxAttempts: {},
        running: [],
        kinds: [{ kind: 'mail', free: 1, laneConcurrency: null, lanes: {} }],
      }
      await storage.perform('jobs.claim', claim, contextWith({ now }))
      assert.equal(await doAs('jobs.retry', one.id), 'job_running')
    })
  })
}
