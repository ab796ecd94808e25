/** One check of the installation: its result and, unless it passed, the remedy. */
export interface Check {
  readonly check: string
  readonly state: 'ok' | 'warn' | 'fail'
  readonly sentence: string
}

/** The check passed. */
export function ok(check: string, sentence: string): Check {
  return { check, state: 'ok', sentence }
}

/** The service runs, but needs attention. */
export function warn(check: string, sentence: string): Check {
  return { check, state: 'warn', sentence }
}

/** The service is not reliable until this is fixed. */
export function fail(check: string, sentence: string): Check {
  return { check, state: 'fail', sentence }
}
