import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { BareAnswer, BareData } from './bare-server.ts'
import { observe, type RunningServer } from './server.ts'

/**
 * Starts the bare server (plain `node:http`), which sends the given responses of the service by path to requests with
 * `token`.
 */
export async function runBare(token: string, answers: readonly BareAnswer[]): Promise<RunningServer> {
  const child = fork(join(import.meta.dirname, 'bare-server.ts'))
  child.send({ tokens: [token], answers } satisfies BareData)
  const [{ address, port }] = await once(child, 'message')
  return observe(child, { host: address, port })
}

/**
 * Requests `path` from a running service and returns its response for the bare server (plain `node:http`) to repeat.
 * The date, length and connection headers, which Node adds itself, are removed. Throws unless the status is 200.
 */
export async function answerOf({ host, port }: RunningServer, path: string, token: string): Promise<BareAnswer> {
  const answer = await fetch(`http://${host}:${port}/api/v1${path}`, {
    headers: { Authorization: `Bearer ${token}`, 'Accept-Encoding': 'identity' },
  })
  if (answer.status !== 200) throw new Error(`${answer.status} for ${path}`)
  const own = new Set(['connection', 'date', 'keep-alive', 'content-length', 'transfer-encoding'])
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !own.has(name)))
  return { path: `/api/v1${path}`, headers, body: await answer.text() }
}
