import { ApiError } from '../../client.ts'

/** Chooses the idempotency keys of requests that one form sends one after another. */
export interface RequestKeys {
  /**
   * Returns the key of a request: that of the last request if it was the same and its outcome is unknown, else a new
   * one.
   */
  keyOf(request: unknown): string
  /** Records the error with which the last request failed; without an error, that it succeeded. */
  ended(error?: unknown): void
}

/** Creates the keys of a form; `newKey` returns a different key with each call. */
export function createRequestKeys(newKey: () => string): RequestKeys {
  // The last request, unless its outcome is known.
  let last: { readonly text: string; readonly key: string } | undefined
  return {
    keyOf(request) {
      const text = JSON.stringify(request)
      if (last?.text !== text) last = { text, key: newKey() }
      return last.key
    },
    ended(error) {
      // A refusal is stored with the key like a success, so the key would repeat it although its reason may be gone.
      if (error === undefined || isRefusal(error)) last = undefined
    },
  }
}

/**
 * Whether the service has refused a request, so that nothing was changed. After any other failure, such as a lost
 * response or a response of a proxy, the service may have performed the request, or still be performing it.
 */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.status >= 500) return false
  return !('error' in error.body && error.body.reason === 'idempotency_in_progress')
}
