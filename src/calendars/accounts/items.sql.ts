import type { Database } from '../../db/database.ts'

/** An item of a calendar (see `CalendarItem`) as it is stored. */
export interface StoredItem {
  readonly key: string
  readonly etag: string
  /** The iCalendar components of the item, as `itemText` returns them. */
  readonly content: string
}

/** The changes of the stored items of a calendar since an earlier reading. */
export interface ItemChanges {
  /**
   * The stored sync position of the calendar when the reading of the changes began; undefined if there is none. The
   * changes are discarded if the stored sync position has changed before they are stored.
   */
  readonly since: string | undefined
  readonly changed: readonly StoredItem[]
  readonly removed: readonly string[]
}

/** Returns the etags of a calendar's stored items by key. */
export async function listItemVersions(db: Database, calendarId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await db.build
    .selectFrom('calendar_item')
    .select(['item', 'etag'])
    .where('calendar_id', '=', calendarId)
    .execute()
  return new Map(rows.map(({ item, etag }) => [item, etag]))
}

/** Returns the content of a calendar's stored items by key. */
export async function listItems(db: Database, calendarId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await db.build
    .selectFrom('calendar_item')
    .select(['item', 'content'])
    .where('calendar_id', '=', calendarId)
    .orderBy('item')
    .execute()
  return new Map(rows.map(({ item, content }) => [item, content]))
}

// SQLite accepts up to 32,766 parameters in one statement, so rows are inserted in batches.
const rowsAtOnce = 500

/** Stores new and changed items of a calendar, and deletes those that were removed. */
export async function saveItems(
  db: Database,
  calendarId: string,
  { changed, removed }: Pick<ItemChanges, 'changed' | 'removed'>,
): Promise<void> {
  if (removed.length > 0)
    await db.build
      .deleteFrom('calendar_item')
      .where('calendar_id', '=', calendarId)
      .where((row) => db.dialect.listed(row.ref('item'), removed, 'text'))
      .execute()
  const rows = changed.map(({ key, ...rest }) => ({ calendar_id: calendarId, item: key, ...rest }))
  for (let from = 0; from < rows.length; from += rowsAtOnce)
    await db.build
      .insertInto('calendar_item')
      .values(rows.slice(from, from + rowsAtOnce))
      .onConflict((conflict) =>
        conflict
          .columns(['calendar_id', 'item'])
          .doUpdateSet((row) => ({ etag: row.ref('excluded.etag'), content: row.ref('excluded.content') })),
      )
      .execute()
}
