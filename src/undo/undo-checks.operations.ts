import { message } from '../messages/message.ts'
import { Refusal, refusal } from '../messages/refusal.ts'

/** Refuses to restore what exists. */
export function requireGone(found: unknown): void {
  if (found !== undefined) throw new Refusal({ code: 'changed_since', message: message('present_already') })
}

/** Refuses to revert what was changed since; names the fields. */
export function requireUnchanged(since: readonly string[]): void {
  if (since.length === 0) return
  throw refusal('changed_since', { fields: since })
}
