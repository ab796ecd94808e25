import {
  type Expression,
  type Kysely,
  PostgresAdapter,
  PostgresQueryCompiler,
  type RawBuilder,
  type SqlBool,
  SqliteAdapter,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import type { Failure } from './failures.ts'
import { postgresFailure, sqliteFailure } from './failures.ts'
import { builderOver, type Execute, type Grammar } from './query/query-builder.ts'
import type { Tables } from './query/tables.ts'

/** The SQL fragments and functions that differ between SQLite and PostgreSQL. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres'
  /** A query builder that only compiles queries, and cannot run them. */
  readonly builder: Kysely<Tables>
  /** Returns a query builder whose queries run through `execute`. */
  builderOver(execute: Execute): Kysely<Tables>
  /**
   * Builds a condition that a column has one of the listed values; the list may be a placeholder of a prepared query.
   */
  listed(column: Expression<unknown>, values: Listed, type: 'bigint' | 'text'): RawBuilder<SqlBool>
  /**
   * Returns a column in a form for which SQLite's planner does not use an index on this column. Queries use it when
   * another index is more selective.
   */
  narrowing(column: Expression<unknown>): RawBuilder<unknown>
  /** A table expression with the alias `wanted`, whose column `value` contains the listed values. */
  wanted(values: Listed, type: 'bigint' | 'text'): RawBuilder<unknown>
  /**
   * The SQL that follows `from`, including `where`: it joins each row of `wanted` with the rows of `table` that meet
   * `condition`, which uses `wanted.value`. Its form makes the planner query the table once per value, so that an index
   * on the table can be used instead of a scan.
   */
  perWanted(wanted: RawBuilder<unknown>, table: string, condition: RawBuilder<unknown>): RawBuilder<unknown>
  /**
   * One row as the text of a JSON object without whitespace between its tokens. The members are in the order of
   * `fields` if optional fields are last.
   */
  jsonText(fields: readonly JsonField[]): RawBuilder<string>
  /**
   * The integer in a field of a column that contains a JSON object; null when the column is null or the field is
   * absent.
   */
  jsonInteger(column: Expression<unknown>, name: string): RawBuilder<number | null>
  /** The concatenated texts of all rows, each preceded by a comma; null without rows. */
  joinedTexts(text: Expression<string>): RawBuilder<string | null>
  /** Converts a list to the value of one query parameter. */
  list(values: readonly unknown[]): unknown
  /**
   * The transaction number that is stored with the events of one operation. The event feed returns events in the order
   * of these numbers. On SQLite, each operation of a transaction has a number of its own.
   */
  eventTx(): RawBuilder<number>
  /**
   * A transaction number greater than that of every ended transaction, and not greater than that of any later
   * transaction.
   */
  upcomingTx(): RawBuilder<number>
  /**
   * A transaction number such that the snapshots of all queries that begin later contain every event with a lower
   * number; as large as the running transactions allow. The offset `tx_base`, which the service adds to
   * PostgreSQL's transaction numbers before it stores them, is not included. Undefined on SQLite, where transactions
   * commit in the order of their numbers.
   */
  readonly horizon: RawBuilder<number> | undefined
  /**
   * A condition that is true when no running transaction can still append an event with the stored transaction number
   * `tx` or a lower one. `horizon` is the value of the expression `horizon` of this dialect.
   */
  settled(tx: Expression<unknown>, horizon: Expression<unknown>): RawBuilder<SqlBool>
  /** The indexed expression that returns the customer's id from the body of an event `reservation.removed`. */
  removedOf(): RawBuilder<string | null>
  /** The indexed expression that returns the previous customer's id from an event that reassigned a reservation. */
  reassignedFrom(): RawBuilder<string | null>
  /** The condition of a partial index: an event by which a reservation was reassigned to another customer. */
  reassigned(): RawBuilder<SqlBool>
  /** The clause that locks the rows of a query and skips rows that another transaction has locked; empty on SQLite. */
  skipLocked(): RawBuilder<unknown>
  /**
   * The clause that locks the rows of a query against changes until the transaction ends, after the changes of other
   * transactions in progress; empty on SQLite.
   */
  forShare(): RawBuilder<unknown>
  /** The database's clock in Unix seconds, with fraction. */
  clock(): RawBuilder<number>
  /** The version of the database as text. */
  version(): RawBuilder<string>
  /** The size of the database in bytes. */
  size(): RawBuilder<number>
  /** Returns the class of an error that a query threw. */
  failure(error: unknown): Failure
}

/**
 * One field of the object that `jsonText` builds: its name and its column; `json` when the column contains JSON. An
 * `optional` field is omitted when the column is null; the first field must not be optional.
 */
export interface JsonField {
  readonly name: string
  readonly column: string
  readonly json?: true
  readonly optional?: true
}

type Listed = RawBuilder<unknown> | readonly number[] | readonly string[]

const sqliteGrammar: Grammar = {
  createAdapter: () => new SqliteAdapter(),
  createQueryCompiler: () => new SqliteQueryCompiler(),
}

const postgresGrammar: Grammar = {
  createAdapter: () => new PostgresAdapter(),
  createQueryCompiler: () => new PostgresQueryCompiler(),
}

// The column `tx_base`, an offset of the stored transaction numbers. On PostgreSQL, a stored number is the transaction
// id plus `tx_base`; on SQLite, every new number is greater than `tx_base`. Restoring or moving a database raises
// `tx_base`, so that new events sort after all earlier ones.
const txBase = sql`coalesce((select tx_base from site), 0)`

/** The dialect of SQLite. */
export const sqlite: Dialect = {
  name: 'sqlite',
  builder: builderOver(sqliteGrammar, onlyBuilt),
  builderOver: (execute) => builderOver(sqliteGrammar, execute),
  listed: (column, values) => sql`${column} in (select value from json_each(${parameter(values, sqlite)}))`,
  // Without statistics, SQLite may choose the index on this column although that on another column is more selective,
  // for example the index on `status` instead of that on `provider_id`. The unary plus excludes the column from index
  // selection.
  narrowing: (column) => sql`+${column}`,
  wanted: (values) => sql`(select value from json_each(${parameter(values, sqlite)})) as wanted`,
  // SQLite's planner does not reorder the tables of a cross join.
  perWanted: (wanted, table, condition) => sql`${wanted} cross join ${sql.ref(table)} where ${condition}`,
  jsonText: (fields) => {
    const object = (some: readonly JsonField[]) => {
      const values = some.map(({ column, json }) => (json ? sql`json(${sql.ref(column)})` : sql.ref(column)))
      return sql<string>`json_object(${sql.join(some.flatMap(({ name }, index) => [sql.lit(name), values[index]]))})`
    }
    const optional = fields.filter((field) => field.optional)
    const always = object(fields.filter((field) => !field.optional))
    if (optional.length === 0) return always
    const columns = optional.map(({ column }) => sql`${sql.ref(column)} is null`)
    // `json_patch` omits members whose value is null, but is slower than `json_object` alone.
    return sql<string>`case when ${sql.join(columns, sql` and `)} then ${always} else json_patch(${always}, ${object(optional)}) end`
  },
  jsonInteger: (column, name) => sql`json_extract(${column}, ${sql.lit(`$.${name}`)})`,
  joinedTexts: (text) => sql`',' || group_concat(${text}, ',')`,
  list: (values) => JSON.stringify(values),
  eventTx: () => sql`(select max(coalesce((select max(tx) from event), 0), ${txBase}) + 1)`,
  upcomingTx: () => sqlite.eventTx(),
  horizon: undefined,
  // SQLite has a single writer, so transactions commit in the order of their numbers. No event can be appended before a
  // stored one.
  settled: () => sql`1 = 1`,
  removedOf: () => sql`json_extract(body, '$.previous.customerId')`,
  reassignedFrom: () => sql`json_extract(body, '$.previous.customerId')`,
  reassigned: () => sql`kind = 'reservation' and type <> 'reservation.created'
    and json_extract(body, '$.previous.customerId') <> json_extract(body, '$.object.customerId')`,
  // SQLite has a single writer, so no other transaction holds a lock on a row.
  skipLocked: () => sql``,
  forShare: () => sql``,
  clock: () => sql`unixepoch('subsec')`,
  version: () => sql`sqlite_version()`,
  size: () => sql`(select page_count * page_size from pragma_page_count, pragma_page_size)`,
  failure: sqliteFailure,
}

/** The dialect of PostgreSQL. */
export const postgres: Dialect = {
  name: 'postgres',
  builder: builderOver(postgresGrammar, onlyBuilt),
  builderOver: (execute) => builderOver(postgresGrammar, execute),
  listed: (column, values, type) =>
    type === 'bigint'
      ? sql`${column} = any(${parameter(values, postgres)}::bigint[])`
      : sql`${column} = any(${parameter(values, postgres)}::text[])`,
  narrowing: (column) => sql`${column}`,
  wanted: (values, type) => sql`unnest(${parameter(values, postgres)}::${sql.raw(type)}[]) as wanted (value)`,
  // `offset 0` prevents PostgreSQL from flattening the subquery. Without statistics, a flattened join could scan the
  // whole table.
  perWanted: (wanted, table, condition) =>
    sql`${wanted} cross join lateral (select * from ${sql.ref(table)} where ${condition} offset 0) as ${sql.ref(table)} where true`,
  // The JSON is concatenated, because `json_build_object` would add whitespace.
  jsonText: (fields) => {
    const parts = fields.flatMap(({ name, column, json, optional }, index) => {
      const start = sql.lit(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`)
      const value = json ? sql.ref(column) : sql`to_json(${sql.ref(column)})`
      return optional ? [sql`${start} || ${value}`] : [start, value]
    })
    return sql`concat(${sql.join([...parts, sql.lit('}')])})`
  },
  jsonInteger: (column, name) => sql`(${column}::json ->> ${sql.lit(name)})::bigint`,
  joinedTexts: (text) => sql`',' || string_agg(${text}, ',')`,
  list: (values) => values,
  eventTx: () => sql`(pg_current_xact_id()::text::bigint + ${txBase})`,
  upcomingTx: () => sql`(pg_snapshot_xmax(pg_current_snapshot())::text::bigint + ${txBase})`,
  // The lowest number of the transactions that run in the snapshot of the query and may append events; if there are
  // none, the `xmax` of the snapshot. A writing transaction locks the table `event` before its number is assigned (see
  // `PostgresWrites`), and pg_locks is read after the snapshot. A transaction that has its number in pg_locks, but no
  // lock on `event`, therefore appends nothing. Two kinds of transactions may append although no such lock is found:
  // those whose number is missing in pg_locks, as PostgreSQL assigns a number before it locks it, and those with the
  // virtual transaction number 0, which a transaction has for a moment while it ends. Those of them that have ended
  // since the snapshot are left out, as queries that begin later see what they appended: their status is read last.
  horizon: sql`(
    with held as materialized (select locktype, mode, relation, database, virtualtransaction, transactionid from pg_locks),
    appending as materialized (
      select tx from (select pg_snapshot_xip(pg_current_snapshot())::text::bigint as tx) as running
      where not exists (
        select from held as other
        where other.locktype = 'transactionid' and other.mode = 'ExclusiveLock'
          and other.transactionid::text::bigint = tx % 4294967296
          and other.virtualtransaction not like '%/0'
          and other.virtualtransaction not in (
            select virtualtransaction from held
            where locktype = 'relation' and mode = 'RowExclusiveLock' and relation = 'event'::regclass
              and database = (select oid from pg_database where datname = current_database()))))
    select coalesce(min(tx), pg_snapshot_xmax(pg_current_snapshot())::text::bigint)
    from appending where pg_xact_status(tx::text::xid8) = 'in progress')`,
  settled: (tx, horizon) => sql`${tx} < ${horizon} + ${txBase}`,
  removedOf: () => sql`substring(body from '"customerId":"([^"]*)"')`,
  reassignedFrom: () => sql`(body::jsonb #>> '{previous,customerId}')`,
  reassigned: () => sql`kind = 'reservation' and type <> 'reservation.created'
    and (body::jsonb #>> '{previous,customerId}') <> (body::jsonb #>> '{object,customerId}')`,
  skipLocked: () => sql`for update skip locked`,
  forShare: () => sql`for share`,
  clock: () => sql`extract(epoch from clock_timestamp())::float8`,
  version: () => sql`current_setting('server_version')`,
  size: () => sql`pg_database_size(current_database())`,
  failure: postgresFailure,
}

function parameter(values: Listed, dialect: Dialect): RawBuilder<unknown> {
  return 'toOperationNode' in values ? values : sql.val(dialect.list(values))
}

async function onlyBuilt(): Promise<never> {
  throw new Error('This query builder has no connection: run the query with db.run or build it on db.build.')
}
