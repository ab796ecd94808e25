import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { end, serve } from '../test/support/daybook.ts'
import type { Target } from './load.ts'
import { environment, type Site } from './site.ts'

/** A running service, observed from outside. */
export interface Running extends Target {
  /** Returns the CPU milliseconds of its threads so far, by thread. */
  cpu(): Promise<Map<string, number>>
  /** Returns its resident memory in megabytes. */
  memory(): number
  stop(): Promise<void>
}

// The system adds up a thread's time when it stops: the last milliseconds of a running thread would be missing.
const untilIdle = 3

/** Starts the service on the site in a separate process; `env` extends its environment. */
export async function run(site: Pick<Site, 'dataDir'>, env: NodeJS.ProcessEnv = {}): Promise<Running> {
  const { child, url } = await serve(['--data-dir', site.dataDir], { ...environment, ...env })
  const { hostname, port } = new URL(url)
  return observe(child, { host: hostname, port: Number(port) })
}

/** Observes a server that was started in another way. */
export function observe(child: ChildProcess, target: Target): Running {
  const proc = `/proc/${child.pid}`
  return {
    ...target,
    cpu: () => threadTimes(child.pid ?? 0),
    memory: () => Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`${proc}/status`, 'utf8'))?.[1]) / 1024,
    stop: async () => void (await end(child, 'SIGTERM')),
  }
}

/** Returns the CPU milliseconds of the request thread and of all other threads so far. */
export async function splitTime(server: Running): Promise<{ readonly request: number; readonly others: number }> {
  // The request thread is the first one of the process, which has the lowest number.
  const [request = 0, ...others] = [...(await server.cpu())]
    .sort(([one], [other]) => Number(one) - Number(other))
    .map(([, time]) => time)
  return { request, others: others.reduce((sum, time) => sum + time, 0) }
}

/** Returns the processor time of each thread of a process in milliseconds, once it is idle. */
export async function threadTimes(pid: number): Promise<Map<string, number>> {
  await pause(untilIdle)
  const tasks = `/proc/${pid}/task`
  return new Map(readdirSync(tasks).map((task) => [task, processorTime(`${tasks}/${task}/schedstat`)]))
}

// In nanoseconds; the counters of `stat` have a resolution of ten milliseconds.
function processorTime(file: string): number {
  return Number(readFileSync(file, 'utf8').split(' ', 1)[0]) / 1e6
}
