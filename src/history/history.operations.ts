import { listTokens, namesOfTokens } from '../access/tokens/tokens.sql.ts'
import { listUserRecords, namesOfUsers } from '../access/users/users.sql.ts'
import { recordWithoutPlaceholder } from '../customers/customer-email.ts'
import type { ReadDatabase } from '../db/database.ts'
import type { Message } from '../messages/message.ts'
import { listUndoings } from '../undo/undo.sql.ts'
import { standUndone, type Undoing, type WayBack } from '../undo/undo.ts'
import { findWayBack } from '../undo/way-back.sql.ts'
import { withoutEndpointSecrets } from '../webhooks/endpoint.ts'
import { type Actor, type EventType, kindOf, type LoggedEvent } from './event.ts'
import { type HistoryFilter, pageHistory } from './history.sql.ts'
import { type EntrySubject, findSubjects } from './subjects.sql.ts'

/** One entry of the event log as the history page shows it. */
export interface HistoryEntry {
  readonly id: string
  readonly seq: string
  readonly type: EventType
  readonly objectId: string
  readonly subject: EntrySubject
  readonly at: number
  readonly actor: { readonly kind: Actor['kind']; readonly id: string; readonly name: string }
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
  /**
   * What an undo of the change would do (`does`), or why the change cannot be undone (`why`); the other one is null.
   */
  readonly undo: { readonly does: Undoing | null; readonly why: Message | null }
  /** Whether the change was undone and the undo was not undone itself. */
  readonly undone: boolean
  /** The id of the history entry that this change undid; null for a change that is no undo. */
  readonly undid: string | null
}

/** The page of the history to list, and what it shows. */
interface HistoryPage {
  readonly limit: number
  readonly offset: number
  /**
   * Whether entries about webhooks contain the complete URL and the template, which may contain secrets and are for
   * administrators alone; false when absent.
   */
  readonly withWebhookSecrets?: boolean
}

/** Returns one page of the history, newest first, with the number of all matching entries. */
export function listHistory(
  db: ReadDatabase,
  filter: HistoryFilter,
  { withWebhookSecrets = false, ...part }: HistoryPage,
): Promise<{ page: HistoryEntry[]; total: number }> {
  return db.snapshot(async (read) => {
    const { events: found, total } = await pageHistory(read, filter, part)
    const events = withWebhookSecrets ? found : found.map(withoutWebhookSecrets)
    const idsOf = (kind: Actor['kind']) => [
      ...new Set(events.flatMap(({ actor }) => (actor.kind === kind ? [actor.id] : []))),
    ]
    const names = new Map([
      ...(await namesOfUsers(read, idsOf('user'))),
      ...(await namesOfTokens(read, idsOf('token'))),
    ])
    const undoings = await listUndoings(
      read,
      events.map(({ id }) => id),
    )
    const undone = standUndone(undoings)
    const subjectOf = await findSubjects(read, events)
    const page: HistoryEntry[] = []
    for (const event of events) {
      const { id, seq, type, objectId, createdAt, actor, object, previous, undid = null } = event
      const named = { ...actor, name: names.get(actor.id) ?? '' }
      const of = {
        id,
        seq,
        type,
        objectId,
        subject: subjectOf(event),
        at: createdAt,
        actor: named,
        before: shownState(previous),
        after: shownState(object),
      }
      const way = await findWayBack(read, event, undone)
      page.push({ ...of, undo: shownWay(way), undone: undone.has(id), undid })
    }
    return { page, total }
  })
}

/** Returns the users of the panel and the API tokens, also revoked ones, each sorted by name. */
export async function listActors(db: ReadDatabase) {
  const [users, tokens] = await Promise.all([listUserRecords(db), listTokens(db)])
  const ofUsers = users.map(({ user: { id, name, email } }) => ({ kind: 'user', id, name: name || email }) as const)
  const ofTokens = tokens.map(({ id, name }) => ({ kind: 'token', id, name }) as const)
  return { actors: [...byName(ofUsers), ...byName(ofTokens)] }
}

function byName<T extends { readonly name: string }>(all: readonly T[]): T[] {
  return all.toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
}

// Events are stored with the complete URL, because mail to administrators names it.
function withoutWebhookSecrets(event: LoggedEvent): LoggedEvent {
  if (kindOf(event.type) !== 'webhook') return event
  const { object, previous } = event
  return {
    ...event,
    object: object && withoutEndpointSecrets(object),
    previous: previous && withoutEndpointSecrets(previous),
  }
}

function shownState(state: HistoryEntry['before']): HistoryEntry['before'] {
  return state && recordWithoutPlaceholder(state)
}

function shownWay(way: WayBack): HistoryEntry['undo'] {
  return 'no' in way ? { does: null, why: way.no } : { does: way.does, why: null }
}
