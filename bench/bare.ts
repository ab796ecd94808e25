import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BareAnswer, BareData } from './bare-server.ts'
import type { Running } from './server.ts'

/** Starts the yardstick: it answers each path with what the service answered to it. */
export async function runBare(dataDir: string, answers: readonly BareAnswer[]): Promise<Running> {
  const child = fork(join(import.meta.dirname, 'bare-server.ts'))
  child.send({ file: join(dataDir, 'daybook.db'), answers } satisfies BareData)
  const [{ address, port }] = await once(child, 'message')
  const tasks = `/proc/${child.pid}/task`
  return {
    host: address,
    port,
    cpu: () => new Map(readdirSync(tasks).map((task) => [task, processorTime(`${tasks}/${task}/schedstat`)])),
    memory: () => 0,
    stop: async () => {
      child.kill()
      await once(child, 'exit')
    },
  }
}

function processorTime(file: string): number {
  return Number(readFileSync(file, 'utf8').split(' ', 1)[0]) / 1e6
}

/** What a running service answers to a path, to be answered by the yardstick too. */
export async function answerOf({ host, port }: Running, path: string, token: string): Promise<BareAnswer> {
  const answer = await fetch(`http://${host}:${port}/api/v1${path}`, {
    headers: { Authorization: `Bearer ${token}`, 'Accept-Encoding': 'identity' },
  })
  if (answer.status !== 200) throw new Error(`${answer.status} for ${path}`)
  const own = new Set(['connection', 'date', 'keep-alive', 'content-length', 'transfer-encoding'])
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !own.has(name)))
  return { path: `/api/v1${path}`, headers, body: await answer.text() }
}
