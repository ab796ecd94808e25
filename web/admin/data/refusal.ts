import { ApiError } from '../../client.ts'

/** What went wrong, as a form or a screen shows it. */
export interface Trouble {
  /** The service's sentence; undefined where it could not be reached at all. */
  readonly sentence: string | undefined
  /** Field → what is wrong with it. */
  readonly fields: Readonly<Record<string, string>>
  /** Under which the operator finds a fault in the log. */
  readonly requestId: string | undefined
}

/** Takes an error of `ask` apart: what to show beside which field, and what above them. */
export function troubleOf(error: unknown): Trouble {
  if (!(error instanceof ApiError)) return { sentence: undefined, fields: {}, requestId: undefined }
  const { body } = error
  if ('error' in body) return { sentence: body.error, fields: body.details ?? {}, requestId: undefined }
  const { params, requestId } = body.data
  return {
    sentence: body.message,
    fields: textsOf(params),
    requestId: typeof requestId === 'string' ? requestId : undefined,
  }
}

/** Whether the session has ended, or there never was one. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}

function textsOf(params: unknown): Record<string, string> {
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return {}
  return Object.fromEntries(Object.entries(params).filter(([, text]) => typeof text === 'string'))
}
