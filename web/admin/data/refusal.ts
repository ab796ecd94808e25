import type { Message } from '../../../src/messages/message.ts'
import { ApiError } from '../../client.ts'
import { say } from '../i18n/index.ts'

/** What went wrong, as a form or a screen shows it. */
export interface Failure {
  /** The service's sentence, in the person's language; undefined where it could not be reached at all. */
  readonly sentence: string | undefined
  /** Field → what is wrong with it, in the same. */
  readonly fields: Readonly<Record<string, string>>
  /** Under which the operator finds a fault in the log. */
  readonly requestId: string | undefined
}

/** Takes an error of `ask` apart: what to show beside which field, and what above them. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof ApiError)) return { sentence: undefined, fields: {}, requestId: undefined }
  const { body } = error
  const requestId = 'error' in body ? undefined : body.data.requestId
  return {
    sentence: sentenceOf(body),
    // Only for who asks: a file may have many thousands.
    get fields() {
      return Object.fromEntries(detailsOf(body).map(toldIn))
    },
    requestId: typeof requestId === 'string' ? requestId : undefined,
  }
}

/** What is wrong with each place of what was sent: the first of them, and how many more there are. */
export function faultsIn(
  error: unknown,
  most: number,
): { readonly faults: readonly (readonly [place: string, sentence: string])[]; readonly more: number } {
  const told = error instanceof ApiError ? detailsOf(error.body) : []
  return { faults: told.slice(0, most).map(toldIn), more: Math.max(0, told.length - most) }
}

/** Whether the session has ended, or there never was one. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}

/** Whether the panel is closed until the person has set up a second factor. */
export function isEnrolmentAsked(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.status !== 403) return false
  return 'data' in error.body && error.body.data.reason === 'second_factor_required'
}

/** What is answered before anything is read, such as under load, carries no messages as data. */
function sentenceOf(body: ApiError['body']): string {
  if (body.messages) return say(body.messages.error)
  if (body.code === 'rest_unavailable') return say({ code: 'overloaded' })
  return 'error' in body ? body.error : body.message
}

function detailsOf({ messages }: ApiError['body']): (readonly [string, Message])[] {
  return Object.entries(messages?.details ?? {})
}

function toldIn([name, fault]: readonly [string, Message]): readonly [string, string] {
  return [name, say(fault)]
}
