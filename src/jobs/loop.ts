import type { Log } from '../db/perform/app.ts'

/** Controls a periodic job that is running. */
export interface Loop {
  /** Runs the job after at most the given milliseconds; if a run is in progress, once more right after it. */
  wake(milliseconds: number): void
  /** Stops the job; resolves after a run in progress. */
  stop(): Promise<void>
}

/** A periodic job of this process; it is not stored in the job queue. */
export interface Job {
  readonly name: string
  /** Runs the job. When the loop is stopped, `signal` is aborted; a job of batches then ends after the present one. */
  run(signal: AbortSignal): Promise<void>
  /** Whether the first run starts at once instead of after one interval. */
  readonly atStart?: true
}

// The maximum number of seconds until a failed job is retried, even if it runs once a day.
const secondsToRetry = 60

/**
 * Runs a job every `seconds` seconds, measured from the end of the last run; a failure is logged and retried within a
 * minute.
 */
export function startLoop(seconds: number, job: Job, log: Log): Loop {
  let run: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let fireAt = Number.POSITIVE_INFINITY
  let again = false
  const stopping = new AbortController()

  function schedule(milliseconds: number): void {
    clearTimeout(timer)
    fireAt = performance.now() + milliseconds
    timer = setTimeout(turn, milliseconds)
  }

  function turn(): void {
    fireAt = Number.POSITIVE_INFINITY
    run = attempt(job, stopping.signal, log).then((done) => {
      run = undefined
      const wait = again ? 0 : (done ? seconds : Math.min(seconds, secondsToRetry)) * 1000
      again = false
      if (!stopping.signal.aborted) schedule(wait)
    })
  }

  schedule(job.atStart ? 0 : seconds * 1000)
  return {
    wake(milliseconds) {
      if (stopping.signal.aborted) return
      if (run) again = true
      else if (performance.now() + milliseconds < fireAt) schedule(milliseconds)
    },
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await run
    },
  }
}

async function attempt(job: Job, signal: AbortSignal, log: Log): Promise<boolean> {
  try {
    await job.run(signal)
    return true
  } catch (error) {
    log.error({ job: job.name, fault: error instanceof Error ? error.message : String(error) }, 'a job failed')
    return false
  }
}
