import type { Outcome } from './app.ts'

/** Returns the result of a write; throws for a refusal and a fault, for callers that nothing may refuse. */
export function resultOf<T>(outcome: Outcome<T>): T {
  if ('ok' in outcome) return outcome.ok
  throw new Error('fault' in outcome ? outcome.message : outcome.refused.code)
}
