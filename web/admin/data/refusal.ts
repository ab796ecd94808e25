import type { Message } from '../../../src/messages/message.ts'
import { ApiError } from '../../client.ts'
import { withFieldLabels } from '../i18n/field-labels.ts'
import { translateMessage } from '../i18n/index.ts'
import { needsReauthentication } from './reauthentication.ts'

/** The messages of a failed request, as a form or screen shows them. */
export interface FailureMessages {
  /**
   * The message, in the user's language if the response contains a message code; undefined for errors other than
   * `ApiError`, such as an unreachable service.
   */
  readonly sentence: string | undefined
  /** Messages by field, in the user's language. */
  readonly fields: Readonly<Record<string, string>>
  /**
   * The id of a request that failed with status 500 or 503, which the screen shows as a reference; undefined for other
   * errors.
   */
  readonly requestId: string | undefined
}

/**
 * Returns the messages of an `ApiError`: the general message, and one message for each field. Other errors have no
 * messages.
 */
export function failureOf(error: unknown): FailureMessages {
  if (!(error instanceof ApiError)) return { sentence: undefined, fields: {}, requestId: undefined }
  const { body } = error
  const requestId = 'error' in body ? undefined : body.data.requestId
  return {
    sentence: sentenceOf(body),
    // `fields` is a getter, since translating all messages takes time: an import may have many thousands of them.
    get fields() {
      return Object.fromEntries(detailsOf(body).map(translateDetail))
    },
    requestId: typeof requestId === 'string' ? requestId : undefined,
  }
}

/** Returns the first `max` messages of an `ApiError` with their fields, and the number of further messages. */
export function firstErrorDetails(
  error: unknown,
  max: number,
): { readonly details: readonly (readonly [place: string, sentence: string])[]; readonly more: number } {
  const details = error instanceof ApiError ? detailsOf(error.body) : []
  return { details: details.slice(0, max).map(translateDetail), more: Math.max(0, details.length - max) }
}

/**
 * Whether a request was refused for lack of recent authentication, as when the user closed the dialog in which users
 * confirm their identity.
 */
export function isReauthenticationRequired(error: unknown): boolean {
  return error instanceof ApiError && needsReauthentication(error.status, error.body)
}

/** Whether the request was made without a valid session. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}

/** Whether the requested item does not exist, or no longer. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}

/** Whether a change was refused because its object is no longer as the user saw it. */
export function isChangedSince(error: unknown): boolean {
  return error instanceof ApiError && 'error' in error.body && error.body.reason === 'changed_since'
}

/** Whether a request was refused until the user has set up a second factor. */
export function isEnrolmentRequired(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.status !== 403) return false
  return 'data' in error.body && error.body.data.reason === 'second_factor_required'
}

/**
 * Returns the message of an error response. A response that an overloaded service sends before it reads the request has
 * no message code, so its message is chosen by the code of the error. Any other message without a code is returned as
 * received.
 */
function sentenceOf(body: ApiError['body']): string {
  if (body.messages) return translateMessage(withFieldLabels(body.messages.error))
  if (body.code === 'rest_unavailable') return translateMessage({ code: 'overloaded' })
  return 'error' in body ? body.error : body.message
}

function detailsOf({ messages }: ApiError['body']): (readonly [string, Message])[] {
  return Object.entries(messages?.details ?? {})
}

function translateDetail([name, fault]: readonly [string, Message]): readonly [string, string] {
  return [name, translateMessage(fault)]
}
