/** The properties that this service reads of an error that Stripe's library throws. */
export interface StripeFault {
  readonly type: string
  readonly code?: string
  readonly statusCode?: number
}

/** Whether an error was thrown by Stripe's library. */
export function isStripeError(error: unknown): error is Error & StripeFault {
  return error instanceof Error && 'type' in error && String(error.type).startsWith('Stripe')
}

/**
 * Whether Stripe refused a request for good. The statuses 409 (a request with the same idempotency key is in progress)
 * and 429 (too many requests) are temporary; 401 and 403 concern the keys, not the request.
 */
export function isRefused(error: unknown): boolean {
  return isStripeError(error) && [400, 402, 404].includes(error.statusCode ?? 0) && error.code !== 'rate_limit'
}
