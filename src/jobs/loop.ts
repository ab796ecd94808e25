import type { Log } from '../db/perform/app.ts'

/** A running periodic job. */
export interface Loop {
  /** Stops the job; resolves after a run in progress. */
  stop(): Promise<void>
}

/** A periodic job. */
export interface Job {
  readonly name: string
  run(): Promise<void>
  /** The first run starts immediately. */
  readonly atStart?: true
}

// A failed job is retried soon, even if it runs once a day.
const secondsToRetry = 60

/**
 * Runs a job every `seconds` seconds, measured from the end of the last run; a failure is logged and retried within a
 * minute.
 */
export function startLoop(seconds: number, job: Job, log: Log): Loop {
  let running = Promise.resolve()
  let timer = setTimeout(turn, job.atStart ? 0 : seconds * 1000)
  let stopped = false

  function turn(): void {
    running = attempt(job, log).then((done) => {
      if (!stopped) timer = setTimeout(turn, (done ? seconds : Math.min(seconds, secondsToRetry)) * 1000)
    })
  }

  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}

async function attempt(job: Job, log: Log): Promise<boolean> {
  try {
    await job.run()
    return true
  } catch (error) {
    log.error({ job: job.name, fault: error instanceof Error ? error.message : String(error) }, 'a job failed')
    return false
  }
}
