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
 * and 429 (too many requests) are temporary; 401 and 403 concern the keys, not the request. A repeated idempotency key
 * says nothing about the request either: the one before it may have succeeded.
 */
export function isRefused(error: unknown): boolean {
  if (!isStripeError(error) || isRepeatedKey(error)) return false
  return [400, 402, 404].includes(error.statusCode ?? 0) && error.code !== 'rate_limit'
}

/** Whether Stripe refused a request because its idempotency key was used with other parameters before. */
export function isRepeatedKey(error: unknown): boolean {
  return isStripeError(error) && error.type === 'StripeIdempotencyError'
}
