import { sameJson } from '../../data.ts'
import type { Tx } from '../../db/perform/app.ts'
import type { EventType } from '../../history/event.ts'
import { message } from '../../messages/message.ts'
import { noChanges, type SiteFileChanges, type SiteFileFaults } from '../site-file.ts'

/** A stored row that an entry of a JSON site file may identify. */
export interface MatchCandidate<Id> {
  readonly id: Id
  readonly key: string | null
  /** The text by which an entry without an id is matched if its key identifies no row. */
  readonly name: string
}

interface Entry<Id> {
  readonly id?: Id
  readonly key?: string
}

/**
 * Returns for each entry of a JSON site file the id of the row that it describes; undefined for a new row. An entry
 * with an id describes the row with that id; any other entry the row with its key, or else the row with its name that
 * no entry identifies by id or key. If the entry has a key, its name is compared only with rows without a key.
 * Contradictions and ambiguities are added to `faults`.
 */
export function matchRows<Id extends string | number, E extends Entry<Id>>(
  of: { readonly kind: string; readonly entries: readonly E[]; readonly rows: readonly MatchCandidate<Id>[] },
  nameOf: (entry: E) => string,
  faults: SiteFileFaults,
): (Id | undefined)[] {
  const { kind, entries, rows } = of
  const ids = new Set(rows.map((row) => row.id))
  const keys = new Map(rows.flatMap((row) => (row.key === null ? [] : [[row.key, row.id]])))
  const names = Map.groupBy(rows, (row) => row.name)
  const keyed = ({ key }: E) => (key === undefined ? undefined : keys.get(key))
  const identified = new Set(entries.flatMap((entry) => entry.id ?? keyed(entry) ?? []))
  const meant = new Map<Id, number>()

  const find = (entry: E, at: number): Id | undefined => {
    const byKey = keyed(entry)
    if (entry.id !== undefined) {
      if (byKey !== undefined && byKey !== entry.id)
        faults.set(`${kind}[${at}].key`, message('key_taken', { id: byKey }))
      return ids.has(entry.id) ? entry.id : undefined
    }
    if (byKey !== undefined) return byKey
    const isFree = (row: MatchCandidate<Id>) => !identified.has(row.id) && (entry.key === undefined || row.key === null)
    const alike = (names.get(nameOf(entry)) ?? []).filter(isFree)
    if (alike.length > 1) {
      const ids = alike.map((row) => String(row.id))
      faults.set(`${kind}[${at}].name`, message('ambiguous_match', { count: alike.length, ids }))
    }
    return alike[0]?.id
  }

  return entries.map((entry, at) => {
    const id = find(entry, at)
    const first = id === undefined ? undefined : meant.get(id)
    if (first !== undefined) faults.set(`${kind}[${at}]`, message('same_row', { kind, at: first }))
    if (id !== undefined) meant.set(id, at)
    return id
  })
}

/** The effect of one entry of a JSON site file: the row before and after. */
export interface PlannedRow<Row> {
  readonly before: Row | undefined
  readonly after: Row
  readonly key: string | undefined
  /** Whether an existing row gets a key, or another key than it had; false for a new row. */
  readonly newKey: boolean
}

/** The functions that write and show rows of one kind, with the types of their events. */
export interface Noun<Row> {
  readonly created: EventType
  readonly updated: EventType
  /** Returns the row as its events contain it. */
  shown(row: Row): Readonly<Record<string, unknown>>
  insert(row: Row, key: string | null): Promise<void>
  update(row: Row, before: Row): Promise<void>
  rename(row: Row, key: string): Promise<void>
}

/**
 * Writes new and changed rows, each with an event, and new keys of existing rows; a row of which only the key changes
 * has no event. Returns the names of the rows that were added, changed (also if only the key changed) and left
 * unchanged.
 */
export async function writePlanned<Row extends { readonly id: string | number; readonly name: string }>(
  tx: Tx,
  planned: readonly PlannedRow<Row>[],
  noun: Noun<Row>,
): Promise<SiteFileChanges> {
  const changes = noChanges()
  for (const { before, after, key, newKey } of planned) {
    const object = noun.shown(after)
    const previous = before ? noun.shown(before) : null
    const changed = !sameJson(object, previous)
    if (!before) await noun.insert(after, key ?? null)
    else if (changed) await noun.update(after, before)
    if (newKey && key !== undefined) await noun.rename(after, key)
    const type = before ? noun.updated : noun.created
    if (changed) await tx.append({ type, objectId: String(after.id), object, previous })
    const list = changed || newKey ? changes.changed : changes.left
    ;(before ? list : changes.added).push(after.name)
  }
  return changes
}
