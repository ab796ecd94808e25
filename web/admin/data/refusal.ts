import type { Message } from '../../../src/messages/message.ts'
import { ApiError } from '../../client.ts'
import { say } from '../i18n/index.ts'
import { needsProof } from './proof.ts'

/** A failed request, as a form or screen shows it. */
export interface ShownFailure {
  /** The message in the user's language; undefined when the service was unreachable. */
  readonly sentence: string | undefined
  /** Messages by field, in the user's language. */
  readonly fields: Readonly<Record<string, string>>
  /** The request id under which the server logged a fault. */
  readonly requestId: string | undefined
}

/** Extracts the messages of an `ApiError`: the general message, and one message for each field. */
export function failureOf(error: unknown): ShownFailure {
  if (!(error instanceof ApiError)) return { sentence: undefined, fields: {}, requestId: undefined }
  const { body } = error
  const requestId = 'error' in body ? undefined : body.data.requestId
  return {
    sentence: sentenceOf(body),
    // Computed on demand: an import may have many thousands of messages.
    get fields() {
      return Object.fromEntries(detailsOf(body).map(spoken))
    },
    requestId: typeof requestId === 'string' ? requestId : undefined,
  }
}

/** Returns the first `max` messages of an `ApiError` with their places, and the number of further messages. */
export function faultsIn(
  error: unknown,
  max: number,
): { readonly faults: readonly (readonly [place: string, sentence: string])[]; readonly more: number } {
  const details = error instanceof ApiError ? detailsOf(error.body) : []
  return { faults: details.slice(0, max).map(spoken), more: Math.max(0, details.length - max) }
}

/** Whether the user has closed the dialog that asks for a proof of identity, so that the request was not made. */
export function isUnproven(error: unknown): boolean {
  return error instanceof ApiError && needsProof(error.status, error.body)
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

/** A response sent before the request is read, such as under load, has no message data. */
function sentenceOf(body: ApiError['body']): string {
  if (body.messages) return say(body.messages.error)
  if (body.code === 'rest_unavailable') return say({ code: 'overloaded' })
  return 'error' in body ? body.error : body.message
}

function detailsOf({ messages }: ApiError['body']): (readonly [string, Message])[] {
  return Object.entries(messages?.details ?? {})
}

function spoken([name, fault]: readonly [string, Message]): readonly [string, string] {
  return [name, say(fault)]
}
