import { message } from '../messages/message.ts'
import { Refusal, refusal } from '../messages/refusal.ts'

/** Refuses to add again what is there. */
export function requireGone(found: unknown): void {
  if (found !== undefined) throw new Refusal({ code: 'changed_since', message: message('present_already') })
}

/** Refuses to put back what was changed again since; names those fields. */
export function requireUnchanged(since: readonly string[]): void {
  if (since.length === 0) return
  throw refusal('changed_since', { fields: since })
}
