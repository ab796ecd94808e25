import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import type { Provider } from '../../catalogue/providers/provider.ts'
import type { Service } from '../../catalogue/services/service.ts'
import type { Customer } from '../../customers/customer.ts'
import { customersQuery, pageCustomers, toCustomer } from '../../customers/customers.sql.ts'
import type { ReadDatabase } from '../../db/database.ts'
import { beginning, parseSeq, readFeed } from '../../db/log/event-log.ts'
import { feedKinds, type LoggedEvent } from '../../history/event.ts'
import { type ShownReservation, shownReservation } from '../reservation.ts'
import { pageReservations } from '../reservations.sql.ts'
import type { ReservationFilter } from './reservation-filter.ts'
import { textSource } from './reservation-json.sql.ts'

/** The limit and the offset of the requested page of a list. */
export interface PageRange {
  readonly limit: number
  readonly offset: number
}

/** One page of a list, with the number of all items in the list. */
export interface RowPage<T> {
  readonly page: readonly T[]
  readonly total: number
}

/** A list: either complete, streamed from one snapshot, or one page of it. */
export type Listed<T> = { readonly rows: AsyncIterable<readonly T[]> } | RowPage<T>

/** Returns every service in the order of creation. */
export async function listPublicServices(db: ReadDatabase): Promise<readonly Service[]> {
  return (await db.snapshot(loadCatalogue)).services
}

/** Returns every provider in the order of their ids. */
export async function listPublicProviders(db: ReadDatabase): Promise<readonly Provider[]> {
  return (await db.snapshot(loadCatalogue)).providers
}

/** Returns the URL of the site from its settings. */
export async function siteUrl(db: ReadDatabase): Promise<string> {
  return (await db.snapshot(loadCatalogue)).site.siteUrl
}

/** Lists customers in the order of creation: the complete list as a stream, or one page of it. */
export async function listCustomers(db: ReadDatabase, part: PageRange | undefined): Promise<Listed<Customer>> {
  if (!part) return { rows: mapped(db.stream(customersQuery(db)), toCustomer) }
  const { items, total } = await pageCustomers(db, part)
  return { page: items, total }
}

/**
 * Lists the matching reservations ordered by start and id: the complete list as a stream of JSON texts, or one page as
 * objects.
 */
export async function listReservations(
  db: ReadDatabase,
  { filter, full }: { readonly filter: ReservationFilter; readonly full: boolean },
  part: PageRange | undefined,
): Promise<{ readonly items: AsyncIterable<string> } | RowPage<ShownReservation>> {
  if (!part) return { items: db.texts(textSource, { filter, full }) }
  const { items, total } = await pageReservations(db, filter, part)
  return { page: items.map((of) => shownReservation(of, { full })), total }
}

/**
 * Returns at most `limit` events for integrations that follow the position `after`, in order. If `after` is absent or
 * empty, returns the first events of the log; if it is not a position of the log, returns undefined.
 */
export async function listEvents(
  db: ReadDatabase,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<LoggedEvent[] | undefined> {
  const cursor = after === undefined || after === '' ? beginning : parseSeq(after)
  if (!cursor) return undefined
  return (await readFeed(db, { after: cursor, limit, kinds: feedKinds })).events
}

async function* mapped<Row, T>(parts: AsyncIterable<readonly Row[]>, to: (row: Row) => T): AsyncGenerator<T[]> {
  for await (const part of parts) yield part.map(to)
}
