import type { Log } from '../app.ts'

/** A job that runs again and again. */
export interface Loop {
  /** Ends it; waits for a run that has begun. */
  stop(): Promise<void>
}

/** Runs the job every so many seconds, counted from the end of the last run; one that fails is logged and tried again. */
export function every(seconds: number, job: { readonly name: string; run(): Promise<void> }, log: Log): Loop {
  let running = Promise.resolve()
  let timer = setTimeout(turn, seconds * 1000)
  let stopped = false

  function turn(): void {
    running = attempt(job, log).then(() => {
      if (!stopped) timer = setTimeout(turn, seconds * 1000)
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

async function attempt(job: { readonly name: string; run(): Promise<void> }, log: Log): Promise<void> {
  try {
    await job.run()
  } catch (error) {
    log.error({ job: job.name, fault: error instanceof Error ? error.message : String(error) }, 'a job failed')
  }
}
