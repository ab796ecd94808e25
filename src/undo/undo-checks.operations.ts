import { message } from '../messages/message.ts'
import { Refusal, refusal } from '../messages/refusal.ts'

/** Throws a refusal when the object that an undo would restore exists. */
export function requireGone(found: unknown): void {
  if (found !== undefined) throw new Refusal({ code: 'changed_since', message: message('present_already') })
}

/**
 * Throws a refusal that lists the fields that were changed after the change to be undone (`since`), unless there are
 * none.
 */
export function requireUnchanged(since: readonly string[]): void {
  if (since.length === 0) return
  throw refusal('changed_since', { fields: since })
}
