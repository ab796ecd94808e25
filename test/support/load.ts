import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The load to generate: URL, request, duration in seconds, number of connections and rate. */
export interface LoadOptions {
  readonly url: string
  readonly path: string
  readonly token: string
  readonly seconds: number
  readonly connections: number
  /**
   * Requests to send per second, without waiting for earlier responses while a connection is free; when absent, each
   * connection sends its next request as soon as a response arrives.
   */
  readonly perSecond?: number
}

/** The measurements of a load; times in milliseconds. */
export interface LoadMeasurements {
  /** Requests answered 200 per second while the load lasted. */
  readonly goodput: number
  readonly served: readonly number[]
  /** The response times of requests that were refused with 503 and `Retry-After: 1` because of overload. */
  readonly shed: readonly number[]
  /** The number of requests that were not sent because every connection waited for a response. */
  readonly unsent: number
  readonly unanswered: number
  /** The number of responses by status, without those in `served` and `shed`; `lost` counts broken connections. */
  readonly other: Readonly<Record<string, number>>
}

const program = join(import.meta.dirname, 'open-load.ts')

/**
 * Generates load on a service from a separate process, so that the measuring process is not slowed down. Fails when a
 * request had no response, or one that belongs neither to `served` nor to `shed`.
 */
export async function generateLoad(asked: LoadOptions): Promise<LoadMeasurements> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify(asked)], {
    maxBuffer: 256 * 2 ** 20,
  })
  const measured: LoadMeasurements = JSON.parse(stdout)
  assert.deepEqual(measured.other, {})
  assert.equal(measured.unanswered, 0)
  return measured
}
