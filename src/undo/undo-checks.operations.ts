import { message } from '../messages/message.ts'
import { Refusal, refusal } from '../messages/refusal.ts'

/** Refuses to restore an object that exists. */
export function requireGone(found: unknown): void {
  if (found !== undefined) throw new Refusal({ code: 'changed_since', message: message('present_already') })
}

/** Refuses an undo when fields were changed since; the refusal names them. */
export function requireUnchanged(since: readonly string[]): void {
  if (since.length === 0) return
  throw refusal('changed_since', { fields: since })
}
