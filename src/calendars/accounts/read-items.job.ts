import type { Database } from '../../db/database.ts'
import type { ConnectedCalendar, ReadContent } from '../calendar.ts'
import { CalendarContent } from '../ics/calendar-content.job.ts'
import type { AccountOpening } from './account-opening.job.ts'
import { componentsOf, itemText } from './item.ts'
import { type ItemChanges, listItems, listItemVersions } from './items.sql.ts'
import { openAccountById } from './open-account.job.ts'

/** The result of reading the changes of a calendar of an account. */
export interface ReadItems {
  readonly content: CalendarContent
  readonly cursor: string
  readonly items: ItemChanges
}

/**
 * Options of `readItems`. With `isExpandedAnew`, `readItems` returns the content of the calendar even if no item has
 * changed. With `isReadAnew`, all items are read and stored again.
 */
interface Expanding {
  readonly isExpandedAnew: boolean
  readonly isReadAnew: boolean
  readonly signal: AbortSignal
}

/**
 * Reads the changes of a calendar of an account and returns its whole content; undefined only when no item has changed
 * and `isExpandedAnew` is false.
 */
export async function readItems(
  jobs: AccountOpening & { readonly app: { readonly db: Database } },
  {
    id,
    account,
    opening,
    content: before,
  }: Pick<ConnectedCalendar, 'id' | 'account' | 'opening'> & { readonly content: ReadContent | null },
  { isExpandedAnew, isReadAnew, signal }: Expanding,
): Promise<ReadItems | undefined> {
  const { db } = jobs.app
  const since = before?.cursor
  const client = await openAccountById(jobs, { db, id: account?.id ?? '' }, signal)
  const changes = await client.readChanges(account?.remote ?? '', {
    cursor: isReadAnew ? undefined : since,
    known: async () => {
      const versions = await listItemVersions(db, id)
      // Without their versions, all items count as changed.
      return isReadAnew ? new Map([...versions.keys()].map((key) => [key, ''])) : versions
    },
    ...(opening && { opening }),
  })
  const isSame = !changes || (!changes.isComplete && changes.changed.length + changes.removed.length === 0)
  // When no item has changed, a new sync token is not stored, because a reading from the stored one misses no change.
  if (isSame && !isExpandedAnew) return undefined
  const changed = (changes?.changed ?? []).map(({ key, etag, components }) => ({
    ...{ key, etag, content: itemText(components) },
  }))
  const removed = changes?.removed ?? []
  const stored = new Map(await listItems(db, id))
  for (const key of removed) stored.delete(key)
  for (const { key, content } of changed) stored.set(key, content)
  const content = new CalendarContent()
  const keys = [...stored.keys()].sort()
  for (const key of keys) content.addFile(componentsOf(stored.get(key) ?? '[]'))
  return { content, cursor: changes?.cursor ?? since ?? '', items: { since, changed, removed } }
}
