import { type SelectQueryBuilder, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Tables } from '../../db/query/tables.ts'
import type { Customer } from '../customer.ts'
import type { CustomerDetails } from '../details/customer-details.ts'
import { type SoughtTerms, searchTermsOf, tagTerm, tagTerms } from './search-terms.ts'

type Worded = Pick<Customer, 'id' | 'name' | 'email' | 'phone' | 'details'>

/** Inserts the search terms of new customers. */
export async function insertTerms(db: Database, customers: readonly Worded[]): Promise<void> {
  const worded = await Promise.all(customers.map(async (one) => ({ id: one.id, words: await searchTermsOf(one) })))
  const rows = worded.flatMap(({ id, words }) => words.map((word) => ({ customer_id: id, word })))
  if (rows.length > 0) await db.build.insertInto('customer_word').values(rows).execute()
}

/** Replaces the search terms of a changed customer. */
export async function replaceTerms(db: Database, customer: Worded): Promise<void> {
  await db.build.deleteFrom('customer_word').where('customer_id', '=', customer.id).execute()
  await insertTerms(db, [customer])
}

/** Whether any customer lacks current search terms. */
export async function areTermsMissing(db: Database): Promise<boolean> {
  const row = await db.build
    .selectFrom('customer')
    .select('id')
    .where('worded', '=', sql.lit(0))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Writes the missing or outdated search terms of at most `most` customers; returns the number of customers written. */
export async function insertMissingTerms(db: Database, most: number): Promise<number> {
  const rows = await db.build
    .selectFrom('customer')
    .select(['id', 'name', 'email', 'phone', 'details'])
    .where('worded', '=', sql.lit(0))
    .orderBy('ordinal')
    .limit(most)
    .execute()
  if (rows.length === 0) return 0
  const ids = rows.map(({ id }) => id)
  await db.build
    .deleteFrom('customer_word')
    .where(db.dialect.listed(sql.ref('customer_id'), ids, 'text'))
    .execute()
  await insertTerms(
    db,
    rows.map(({ details, ...row }) => ({ ...row, details: JSON.parse(details) as CustomerDetails })),
  )
  await db.build
    .updateTable('customer')
    .set({ worded: 1 })
    .where(db.dialect.listed(sql.ref('id'), ids, 'text'))
    .execute()
  return rows.length
}

/**
 * Returns at most `limit` ids of customers who have a matching search term for each element of `sought`. Returns no ids
 * when `sought` is empty.
 */
export async function findCustomerIds(db: Database, sought: readonly SoughtTerms[], limit: number): Promise<string[]> {
  const [first, ...others] = await rarestFirst(db, sought)
  if (first === undefined) return []
  let query: SelectQueryBuilder<Tables, 'customer_word', { customer_id: string }> = db.build
    .selectFrom('customer_word')
    .select('customer_id')
    .distinct()
    .where(begins('word', first))
    .limit(limit)
  for (const other of others)
    query = query.where((e) =>
      e.exists(
        e
          .selectFrom('customer_word as also')
          .select('also.word')
          .whereRef('also.customer_id', '=', 'customer_word.customer_id')
          .where(begins('also.word', other)),
      ),
    )
  return (await query.execute()).map((row) => row.customer_id)
}

// Matches of each search term are counted up to this number, to find the rarest term, whose customers are then checked
// for the other terms.
const enough = 2_000

async function rarestFirst(db: Database, sought: readonly SoughtTerms[]): Promise<SoughtTerms[]> {
  if (sought.length < 2) return [...sought]
  const counts = sought.map((word, place) => {
    const some = sql`select 1 from customer_word where ${begins('word', word)} limit ${sql.lit(enough)}`
    return sql`select ${sql.lit(place)} as place, count(*) as count from (${some}) as counted`
  })
  const counted = sql<{ place: number; count: number }>`${sql.join(counts, sql` union all `)} order by count, place`
  const { rows } = await counted.execute(db.build)
  return rows.flatMap(({ place }) => sought.slice(place, place + 1))
}

/** Builds the condition that a search term has the prefix `sought`, or one of several prefixes. */
function begins(column: string, sought: SoughtTerms) {
  const beginnings = typeof sought === 'string' ? [sought] : sought
  const ranges = beginnings.map((word) => sql`(${sql.ref(column)} >= ${word} and ${sql.ref(column)} < ${behind(word)})`)
  return sql<boolean>`(${sql.join(ranges, sql` or `)})`
}

/** Returns the upper bound of an index range: a string that sorts after every term with the prefix `beginning`. */
function behind(beginning: string): string {
  return `${beginning}\u{10FFFF}`
}

/** Returns the ids of at most `limit` customers who have a tag, of all customers or of those in `among`. */
export async function findTaggedIds(
  db: Database,
  tag: string,
  { among, limit }: { readonly among: readonly string[] | undefined; readonly limit: number },
): Promise<string[]> {
  let query = db.build.selectFrom('customer_word').select('customer_id').where('word', '=', tagTerm(tag))
  if (among !== undefined) query = query.where(db.dialect.listed(sql.ref('customer_id'), among, 'text'))
  return (await query.limit(limit).execute()).map((row) => row.customer_id)
}

/** Returns the ids of at most `limit` customers who have one of the given search terms. */
export async function findIdsByTerms(db: Database, terms: readonly string[], limit: number): Promise<string[]> {
  if (terms.length === 0) return []
  const rows = await db.build
    .selectFrom('customer_word')
    .select('customer_id')
    .distinct()
    .where(db.dialect.listed(sql.ref('word'), terms, 'text'))
    .limit(limit)
    .execute()
  return rows.map((row) => row.customer_id)
}

/**
 * Returns the search terms of the tags that customers have, in alphabetical order, each with a customer who has the
 * tag; at most `limit`.
 */
export async function listTagTerms(
  db: Database,
  limit: number,
): Promise<{ readonly term: string; readonly customerId: string }[]> {
  const rows = await db.build
    .selectFrom('customer_word')
    .select((row) => ['word', row.fn.min('customer_id').as('customer_id')])
    .where('word', '>=', tagTerms.from)
    .where('word', '<', tagTerms.until)
    .groupBy('word')
    .orderBy('word')
    .limit(limit)
    .execute()
  return rows.map(({ word, customer_id }) => ({ term: word, customerId: customer_id }))
}
