/** What the library of Stripe throws. */
export interface StripeFault {
  readonly type: string
  readonly code?: string
  readonly statusCode?: number
}

/** Whether an error comes from the library of Stripe. */
export function isStripeError(error: unknown): error is Error & StripeFault {
  return error instanceof Error && 'type' in error && String(error.type).startsWith('Stripe')
}

/** Whether Stripe refused a request for good: 409 is a request with the same key that still runs, 429 too many requests. */
export function isRefused(error: unknown): boolean {
  return isStripeError(error) && [400, 402, 404].includes(error.statusCode ?? 0) && error.code !== 'rate_limit'
}
