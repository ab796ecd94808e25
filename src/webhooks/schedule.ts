const hour = 3_600

/**
 * Seconds from each failed attempt at a delivery to the next: ten attempts within four days, unless the receiver asks
 * for longer delays by `Retry-After`.
 */
export const retryDelays = [5, 300, 1_800, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour] as const

/** Seconds from the first failure since the last success, after which another failure disables the endpoint. */
export const failingSeconds = 5 * 24 * hour

/** Seconds from the first failure since the last success, after which another failure is reported to administrators. */
export const reportedSeconds = 24 * hour

/** Seconds for which the previous signing secret of an endpoint signs in addition after a rotation. */
export const overlapSeconds = 24 * hour

/** The retention of the log of webhook deliveries: seconds from the creation of a delivery. */
export const retentionSeconds = 30 * 24 * hour

// Each retry is delayed by up to a tenth more, so that deliveries that failed at the same time are not retried at the
// same time.
const jitter = 0.1
const maxRetryAfter = 24 * hour

/** What follows from an attempt at a delivery. */
export type AttemptOutcome =
  | { readonly kind: 'delivered' }
  /** The receiver answered 410: the endpoint is disabled. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'retry'; readonly at: number }
  /** The attempt was the last one: the delivery has failed. */
  | { readonly kind: 'failed' }

/** The response to one attempt at a delivery. */
export interface AttemptResult {
  /** The HTTP status of the response; null when there was no response. */
  readonly status: number | null
  /** The `Retry-After` of the response in seconds; null when the response has none. */
  readonly retryAfter: number | null
}

/**
 * Returns what follows from an attempt at `now` (Unix seconds): `attempt` is its number, from 1 on, and `chance` is a
 * random number in [0, 1) that spreads the retries.
 */
export function verdictOn(
  { status, retryAfter }: AttemptResult,
  { attempt, now, chance }: { readonly attempt: number; readonly now: number; readonly chance: number },
): AttemptOutcome {
  if (status !== null && status >= 200 && status < 300) return { kind: 'delivered' }
  if (status === 410) return { kind: 'gone' }
  const delay = retryDelays[attempt - 1]
  if (delay === undefined) return { kind: 'failed' }
  const wanted = Math.min(retryAfter ?? 0, maxRetryAfter)
  return { kind: 'retry', at: now + Math.max(wanted, Math.round(delay * (1 + jitter * chance))) }
}
