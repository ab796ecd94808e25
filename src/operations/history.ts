import type { Actor, EventType } from '../domain/event.ts'
import type { ReadDatabase } from '../storage/database.ts'
import { type HistoryFilter, pageHistory } from '../storage/history.ts'
import { namesOfPeople } from '../storage/people.ts'
import { namesOfTokens } from '../storage/tokens.ts'

/** One change as people read it. */
export interface HistoryEntry {
  readonly id: string
  readonly seq: string
  readonly type: EventType
  readonly objectId: string
  readonly at: number
  readonly actor: { readonly kind: Actor['kind']; readonly id: string; readonly name: string }
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
}

/** One page of what was changed, the newest first, with the number of all. */
export function listHistory(
  db: ReadDatabase,
  filter: HistoryFilter,
  part: { readonly limit: number; readonly offset: number },
): Promise<{ page: HistoryEntry[]; total: number }> {
  return db.snapshot(async (read) => {
    const { events, total } = await pageHistory(read, filter, part)
    const idsOf = (kind: Actor['kind']) => [
      ...new Set(events.flatMap(({ actor }) => (actor.kind === kind ? [actor.id] : []))),
    ]
    const names = new Map([
      ...(await namesOfPeople(read, idsOf('user'))),
      ...(await namesOfTokens(read, idsOf('token'))),
    ])
    const page = events.map(({ id, seq, type, objectId, createdAt, actor, object, previous }) => {
      const named = { ...actor, name: names.get(actor.id) ?? '' }
      return { id, seq, type, objectId, at: createdAt, actor: named, before: previous, after: object }
    })
    return { page, total }
  })
}
