import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The load to generate: target, requests and rate. */
export interface Asked {
  readonly url: string
  readonly path: string
  readonly token: string
  readonly seconds: number
  readonly connections: number
  /**
   * The rate at which requests are sent, whether or not earlier ones are answered; when absent, each connection sends
   * as fast as responses arrive.
   */
  readonly perSecond?: number
}

/** The measurements of a load; times in milliseconds. */
export interface Measured {
  /** Requests served per second while the load lasted. */
  readonly goodput: number
  readonly served: readonly number[]
  /** The response times of requests that were shed with 503 and Retry-After. */
  readonly shed: readonly number[]
  /** The number of requests that were not sent because every connection waited for a response. */
  readonly unsent: number
  readonly unanswered: number
  /** The number of all other responses by status. */
  readonly other: Readonly<Record<string, number>>
}

const program = join(import.meta.dirname, 'open-load.ts')

/** Loads a service from a separate process, so that the measuring process is not slowed down. */
export async function load(asked: Asked): Promise<Measured> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify(asked)], {
    maxBuffer: 256 * 2 ** 20,
  })
  const measured: Measured = JSON.parse(stdout)
  assert.deepEqual(measured.other, {})
  assert.equal(measured.unanswered, 0)
  return measured
}
