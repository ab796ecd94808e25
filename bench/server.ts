import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { end, serve } from '../test/support/daybook.ts'
import type { Target } from './load.ts'
import { environment, type Site } from './site.ts'

/** A running service, looked at from outside. */
export interface Running extends Target {
  /** Milliseconds of processor time that its threads took so far, thread by thread. */
  cpu(): Promise<Map<string, number>>
  /** Megabytes that it holds. */
  memory(): number
  stop(): Promise<void>
}

// The system adds up a thread's time when it stops: of one that still runs, the last milliseconds would be missing.
const untilIdle = 3

/** Starts the service on the site, in a process of its own; `env` adds to its environment. */
export async function run(site: Pick<Site, 'dataDir'>, env: NodeJS.ProcessEnv = {}): Promise<Running> {
  const { child, url } = await serve(['--data-dir', site.dataDir], { ...environment, ...env })
  const { hostname, port } = new URL(url)
  return observe(child, { host: hostname, port: Number(port) })
}

/** Looks at a server that was started in some other way. */
export function observe(child: ChildProcess, target: Target): Running {
  const proc = `/proc/${child.pid}`
  return {
    ...target,
    cpu: async () => {
      await pause(untilIdle)
      return new Map(readdirSync(`${proc}/task`).map((task) => [task, processorTime(`${proc}/task/${task}/schedstat`)]))
    },
    memory: () => Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`${proc}/status`, 'utf8'))?.[1]) / 1024,
    stop: async () => void (await end(child, 'SIGTERM')),
  }
}

// In nanoseconds; the counters of `stat` have steps of ten milliseconds.
function processorTime(file: string): number {
  return Number(readFileSync(file, 'utf8').split(' ', 1)[0]) / 1e6
}
