import { Refusal } from '../messages/refusal.ts'

/** Refuses to add again what is there. */
export function requireGone(found: unknown): void {
  if (found !== undefined) throw new Refusal('changed_since', 'It is there again already.')
}

/** Refuses to put back what was changed again since; names those fields. */
export function requireUnchanged(since: readonly string[]): void {
  if (since.length === 0) return
  throw new Refusal(
    'changed_since',
    `Changed again since: ${since.join(', ')}. Undo the later change first, or change it by hand.`,
  )
}
