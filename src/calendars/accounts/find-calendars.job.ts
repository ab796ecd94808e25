import { resultOf } from '../../db/perform/outcome.ts'
import type { JobHandler } from '../../jobs/job.ts'
import { CalendarFault } from '../calendar-fault.ts'
import { byWorker, type CalendarJobs } from '../sync/sync.job.ts'
import { type FoundCalendars, findCalendarsKind } from './accounts.operations.ts'
import { findAccount } from './accounts.sql.ts'
import { openAccount } from './open-account.job.ts'

/** Returns the handler of the jobs that list the calendars of an account. */
export function findCalendarsJob(jobs: CalendarJobs): JobHandler {
  const { app } = jobs
  return {
    kind: findCalendarsKind,
    concurrency: 4,
    maxAttempts: 5,
    outbound: true,
    async run(payload, { signal }) {
      const { id } = payload as { readonly id: string }
      const account = await findAccount(app.db, id)
      if (!account) return 'done'
      const { revision } = account
      const found = await listed(async () => (await openAccount(jobs, account, signal)).listCalendars())
      // The job was aborted, for example because this process stops, so no fault of the server is recorded.
      if (signal.aborted) return { retryAt: app.now(), why: 'aborted' }
      resultOf(await app.perform('calendars.accounts.record', { id, revision, ...found }, context(app.now())))
      return 'done'
    },
  }
}

function context(now: number) {
  return { ...byWorker, now }
}

type Listed = Pick<FoundCalendars, 'found' | 'fault'>

async function listed(list: () => Promise<NonNullable<FoundCalendars['found']>>): Promise<Listed> {
  try {
    return { found: await list() }
  } catch (error) {
    if (!(error instanceof CalendarFault)) throw error
    return { fault: { code: error.code, detail: error.detail } }
  }
}
