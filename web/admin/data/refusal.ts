import { ApiError } from '../../client.ts'
import { inLanguage } from '../i18n/index.ts'

/** A failed request, as a form or screen shows it. */
export interface Failure {
  /** The message in the user's language; undefined when the service was unreachable. */
  readonly sentence: string | undefined
  /** Messages by field, in the user's language. */
  readonly fields: Readonly<Record<string, string>>
  /** The request id under which the server logged a fault. */
  readonly requestId: string | undefined
}

/** Extracts the messages of an `ApiError`: the general message, and one message for each field. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof ApiError)) return { sentence: undefined, fields: {}, requestId: undefined }
  const { body } = error
  const requestId = 'error' in body ? undefined : body.data.requestId
  return {
    sentence: inLanguage('error' in body ? body.error : body.message),
    // Computed on demand: an import may have many thousands of messages.
    get fields() {
      return Object.fromEntries(detailsOf(body).map(toldIn))
    },
    requestId: typeof requestId === 'string' ? requestId : undefined,
  }
}

/** Returns the first `most` messages of an `ApiError` with their places, and the number of further messages. */
export function faultsIn(
  error: unknown,
  most: number,
): { readonly faults: readonly (readonly [place: string, sentence: string])[]; readonly more: number } {
  const told = error instanceof ApiError ? detailsOf(error.body) : []
  return { faults: told.slice(0, most).map(toldIn), more: Math.max(0, told.length - most) }
}

/** Whether the request was made without a valid session. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}

/** Whether the panel is closed until the user has set up a second factor. */
export function isEnrolmentRequired(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.status !== 403) return false
  return 'data' in error.body && error.body.data.reason === 'second_factor_required'
}

function detailsOf(body: ApiError['body']): (readonly [string, string])[] {
  const params = 'error' in body ? body.details : body.data.params
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return []
  return Object.entries(params).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text] as const] : []))
}

function toldIn([name, text]: readonly [string, string]): readonly [string, string] {
  return [name, inLanguage(text)]
}
