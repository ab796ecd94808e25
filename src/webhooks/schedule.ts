const hour = 3_600

/** Seconds from each failed attempt to the next: ten attempts within four days. */
export const retryDelays = [5, 300, 1_800, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour] as const

/** Seconds of failure after which an endpoint is disabled. */
export const failingSeconds = 5 * 24 * hour

/** Seconds of failure after which administrators are notified. */
export const reportedSeconds = 24 * hour

/** Seconds for which the previous secret signs in addition after a rotation. */
export const overlapSeconds = 24 * hour

/** The retention of deliveries: seconds from their creation. */
export const retentionSeconds = 30 * 24 * hour

// Retries of attempts that failed together are spread over a tenth of the delay.
const jitter = 0.1
const maxRetryAfter = 24 * hour

/** The verdict on the result of an attempt. */
export type Verdict =
  | { readonly kind: 'delivered' }
  /** The receiver answered 410: the endpoint is disabled. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'retry'; readonly at: number }
  /** The attempt was the last one: the delivery has failed. */
  | { readonly kind: 'failed' }

/** The result of one attempt. */
export interface AttemptResult {
  /** The status of the response; null when there was none. */
  readonly status: number | null
  /** Seconds that the receiver asked to wait before the next attempt; null when it did not. */
  readonly retryAfter: number | null
}

/**
 * Returns the verdict on the result of an attempt at `now`, given the number of the attempt; `chance` is a random
 * number in [0, 1).
 */
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
