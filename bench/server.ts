import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { endProcess, serve } from '../test/support/daybook.ts'
import type { LoadTarget } from './load.ts'
import { type BenchSite, environment } from './site.ts'

/** A running server, whose threads and memory are read from /proc. */
export interface RunningServer extends LoadTarget {
  /** Returns the CPU milliseconds that each thread of the server has used so far. */
  cpu(): Promise<Map<string, number>>
  /** Returns the resident memory of the service in megabytes. */
  memory(): number
  stop(): Promise<void>
}

// Milliseconds to wait before the CPU times of threads are read: Linux updates the time of a thread only when the
// thread stops running.
const untilIdle = 3

/** Starts the service on the site in a separate process; `env` extends its environment. */
export async function run(site: Pick<BenchSite, 'dataDir'>, env: NodeJS.ProcessEnv = {}): Promise<RunningServer> {
  const { child, url } = await serve(['--data-dir', site.dataDir], { ...environment, ...env })
  const { hostname, port } = new URL(url)
  return observe(child, { host: hostname, port: Number(port) })
}

/** Returns the `RunningServer` of a process that was started in another way than by `run`. */
export function observe(child: ChildProcess, target: LoadTarget): RunningServer {
  const proc = `/proc/${child.pid}`
  return {
    ...target,
    cpu: () => threadTimes(child.pid ?? 0),
    memory: () => Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`${proc}/status`, 'utf8'))?.[1]) / 1024,
    stop: async () => void (await endProcess(child, 'SIGTERM')),
  }
}

/** Returns the CPU milliseconds of the request thread, which handles HTTP requests, and of all other threads so far. */
export async function splitTime(server: RunningServer): Promise<{ readonly request: number; readonly others: number }> {
  // The thread that handles HTTP requests is the main thread of the process, which has the lowest number.
  const [request = 0, ...others] = [...(await server.cpu())]
    .sort(([one], [other]) => Number(one) - Number(other))
    .map(([, time]) => time)
  return { request, others: others.reduce((sum, time) => sum + time, 0) }
}

/** Returns the processor time of each thread of a process in milliseconds, after a pause in which it becomes idle. */
export async function threadTimes(pid: number): Promise<Map<string, number>> {
  await pause(untilIdle)
  const tasks = `/proc/${pid}/task`
  return new Map(readdirSync(tasks).map((task) => [task, processorTime(`${tasks}/${task}/schedstat`)]))
}

// Returns milliseconds from `schedstat`, which has nanoseconds; the counters of `stat` have a resolution of ten
// milliseconds.
function processorTime(file: string): number {
  return Number(readFileSync(file, 'utf8').split(' ', 1)[0]) / 1e6
}
