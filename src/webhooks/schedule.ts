const hour = 3_600

/** Seconds from each failed attempt to the next: ten attempts within four days. */
export const retryDelays = [5, 300, 1_800, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour] as const

/** Seconds of failure after which an endpoint is disabled. */
export const failingSeconds = 5 * 24 * hour

/** Seconds of failure after which administrators are told. */
export const reportedSeconds = 24 * hour

/** Seconds for which the previous secret signs as well after a rotation. */
export const overlapSeconds = 24 * hour

/** The retention of deliveries: seconds from their creation. */
export const retentionSeconds = 30 * 24 * hour

// Attempts that failed together are spread over a tenth of the delay.
const jitter = 0.1
const maxRetryAfter = 24 * hour

/** What follows from the result of an attempt. */
export type Verdict =
  | { readonly kind: 'delivered' }
  /** The receiver answered 410: the endpoint is disabled. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'retry'; readonly at: number }
  /** That was the last attempt. */
  | { readonly kind: 'failed' }

/** The result of one attempt. */
export interface AttemptResult {
  /** Null without a response. */
  readonly status: number | null
  /** Seconds that the receiver asked to wait. */
  readonly retryAfter: number | null
}

/** Decides what follows from the result of the attempt of this number, at `now`; `chance` is in [0, 1). */
export function verdictOn(
  { status, retryAfter }: AttemptResult,
  { attempt, now, chance }: { readonly attempt: number; readonly now: number; readonly chance: number },
): Verdict {
  if (status !== null && status >= 200 && status < 300) return { kind: 'delivered' }
  if (status === 410) return { kind: 'gone' }
  const delay = retryDelays[attempt - 1]
  if (delay === undefined) return { kind: 'failed' }
  const wanted = Math.min(retryAfter ?? 0, maxRetryAfter)
  return { kind: 'retry', at: now + Math.max(wanted, Math.round(delay * (1 + jitter * chance))) }
}

/** Parses a `Retry-After` header: seconds, or a date. */
export function parseRetryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const at = Date.parse(header) / 1000
  return Number.isFinite(at) && at > now ? Math.ceil(at - now) : null
}
