/** Why an outbound request failed. A response with an error status is not a failure. */
export type OutboundFault =
  | 'url_invalid'
  | 'not_https'
  | 'address_not_public'
  | 'name_not_resolved'
  | 'connection_failed'
  | 'certificate_invalid'
  | 'timeout'
  | 'too_large'
  | 'aborted'

/** The failure of an outbound request, for the cause in `reason`. */
export class OutboundError extends Error {
  readonly reason: OutboundFault

  constructor(reason: OutboundFault, detail = '') {
    super(detail === '' ? reason : `${reason}: ${detail}`)
    this.reason = reason
  }

  /** Converts the error of a request to an `OutboundError` with the matching `reason`. */
  static of(error: unknown, { timedOut }: { readonly timedOut: boolean }): OutboundError {
    if (error instanceof OutboundError) return error
    const cause = causeOf(error)
    if (cause instanceof OutboundError) return cause
    const code = codeOf(error) || codeOf(cause)
    if (timedOut || /TIMEOUT|ETIMEDOUT/.test(code)) return new OutboundError('timeout')
    if ((error instanceof Error && error.name === 'AbortError') || code === 'UND_ERR_ABORTED')
      return new OutboundError('aborted')
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return new OutboundError('name_not_resolved')
    if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) return new OutboundError('certificate_invalid', code)
    return new OutboundError('connection_failed', code)
  }
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
}
