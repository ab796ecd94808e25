/** One thing a healthy installation needs, how it stands here and, where it does not stand well, what to do. */
export interface Check {
  readonly check: string
  readonly state: 'ok' | 'warn' | 'fail'
  readonly sentence: string
}

/** As it should be. */
export function ok(check: string, sentence: string): Check {
  return { check, state: 'ok', sentence }
}

/** The service runs, but not for ever, or not as wanted. */
export function warn(check: string, sentence: string): Check {
  return { check, state: 'warn', sentence }
}

/** The service cannot be relied on until this is mended. */
export function fail(check: string, sentence: string): Check {
  return { check, state: 'fail', sentence }
}
