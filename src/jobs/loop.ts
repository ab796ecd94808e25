import type { Log } from '../db/perform/app.ts'

/** A job that runs again and again. */
export interface Loop {
  /** Ends it; waits for a run that has begun. */
  stop(): Promise<void>
}

/** What runs again and again. */
export interface Job {
  readonly name: string
  run(): Promise<void>
  /** The first run does not wait. */
  readonly atStart?: true
}

// Whatever stopped a job, it is not left undone for a day.
const secondsToRetry = 60

/**
 * Runs the job every so many seconds, counted from the end of the last run; one that fails is logged and tried again
 * within a minute.
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
