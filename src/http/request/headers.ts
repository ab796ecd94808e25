import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Idempotency } from '../../db/perform/app.ts'
import { message } from '../../messages/message.ts'
import { canonicalJson } from './json.ts'
import type { Report } from './validate.ts'

/** The options of a write that are set by request headers. */
export interface RequestOptions {
  readonly dryRun: boolean
  readonly idempotencyKey: string | null
}

const dryRunWords = new Map([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
])

/** Parses `X-SVC-Dry-Run` and `Idempotency-Key`; reports invalid values under the header's name. */
export function parseRequestOptions(headers: IncomingHttpHeaders, report: Report): RequestOptions {
  const dryRun = headers['x-svc-dry-run']
  const wanted = dryRun === undefined ? false : dryRunWords.get(String(dryRun).toLowerCase())
  if (wanted === undefined) report.wrong('X-SVC-Dry-Run', message('dry_run_invalid'))
  const key = headers['idempotency-key']
  if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(String(key))) {
    report.wrong('Idempotency-Key', message('idempotency_key_invalid'))
  }
  return { dryRun: wanted ?? false, idempotencyKey: key === undefined ? null : String(key) }
}

/**
 * Returns an idempotency key with its scope (caller and route) and the hash of the request. Keys of different scopes
 * are independent; the hash detects a key that is reused for another request.
 */
export function idempotencyOf(
  key: string,
  call: { owner: string; route: string; query: unknown; body: unknown },
): Idempotency {
  const request = canonicalJson({ query: call.query, body: call.body ?? null })
  const hash = createHash('sha256').update(request).digest('hex')
  return { scope: `${call.owner} ${call.route}`, key, hash }
}

const maxLength = 1000

/**
 * Returns the percent-encoded names of ignored fields, separated by commas, as a header value. In a list longer than
 * 1,000 characters, one `...` replaces the names that do not end within the first 1,000 characters.
 */
export function ignoredFields(names: readonly string[]): string {
  const list = names.map((name) => encodeURIComponent(name)).join(', ')
  if (list.length <= maxLength) return list
  const end = list.lastIndexOf(',', maxLength)
  return end < 0 ? '...' : `${list.slice(0, end)}, ...`
}
