// A separate process that queue.test.ts starts: it claims a job, prints `running`, and never ends the job.

import { JobRunner } from '../../src/jobs/runner.ts'
import { openStorage } from '../support/databases.ts'
import type { operations } from './job-operations.ts'

const [place = '', now = ''] = process.argv.slice(2)
const storage = await openStorage<typeof operations>({
  at: JSON.parse(place),
  operations: new URL('./job-operations.ts', import.meta.url),
})
const silent = () => {}
const app = { ...storage, now: () => Number(now), log: { info: silent, warn: silent, error: silent } }
const hang = () => {
  process.stdout.write('running\n')
  return new Promise<never>(() => {})
}
const handler = { kind: 'mail', concurrency: 1, maxAttempts: 3, run: hang }
const runner = new JobRunner({ app, handlers: [handler], schedules: [], alone: 'dataDir' in JSON.parse(place) })
await runner.prepare()
runner.start()
