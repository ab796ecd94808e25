import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** What a load is to be. */
export interface Asked {
  readonly url: string
  readonly path: string
  readonly token: string
  readonly seconds: number
  readonly connections: number
  /** Sent at even times, answered or not; as fast as the connections are answered when absent. */
  readonly perSecond?: number
}

/** What came of a load; times are milliseconds. */
export interface Measured {
  /** Requests served a second while the load lasted. */
  readonly goodput: number
  readonly served: readonly number[]
  /** Turned away with 503 and Retry-After. */
  readonly shed: readonly number[]
  /** Never sent, as every connection waited for an answer. */
  readonly unsent: number
  readonly unanswered: number
  /** All else, by status. */
  readonly other: Readonly<Record<string, number>>
}

const program = join(import.meta.dirname, 'open-load.ts')

/** Puts load on a service from a process of its own, which is not slowed down by the one that looks. */
export async function load(asked: Asked): Promise<Measured> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify(asked)], {
    maxBuffer: 256 * 2 ** 20,
  })
  const measured: Measured = JSON.parse(stdout)
  assert.deepEqual(measured.other, {})
  assert.equal(measured.unanswered, 0)
  return measured
}
