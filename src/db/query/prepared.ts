import { hash } from 'node:crypto'
import {
  type CompiledQuery,
  type DeleteResult,
  type InsertResult,
  type Kysely,
  type QueryExecutorProvider,
  type RawBuilder,
  sql,
  type UpdateResult,
} from 'kysely'
import type { Dialect } from '../dialects.ts'
import type { Tables } from './tables.ts'

/** A query compiled for one kind of database: its text, and the function that fills its parameters. */
export interface Statement<Values> {
  readonly text: string
  /** The name of the prepared statement on PostgreSQL, derived only from `text`. */
  readonly name: string
  /** Returns the parameters in the order of the text; throws when a value is missing. */
  parameters(values: Values): unknown[]
}

/** A query that is built once per kind of database and run with different values; created by `prepared`. */
export interface Prepared<Values extends object, Row> {
  statement(dialect: Dialect): Statement<Values>
  /** Carries the type of a result row for the type checker; never set at run time. */
  readonly row?: Row
}

/**
 * The placeholders of a prepared query's values, by name: in `.where(…, p.id)`, in `.values({ id: p.id })`, in
 * sql`…${p.id}`.
 */
export type Places<Values> = { readonly [Name in keyof Values]-?: RawBuilder<Values[Name]> }

type Changed = InsertResult | UpdateResult | DeleteResult
type Query<Row> =
  | RawBuilder<Row>
  | { compile(): CompiledQuery; execute(): Promise<readonly (Row | Changed)[]>; readonly isRawBuilder?: never }

type Build<Values, Row> = (db: Kysely<Tables>, p: Places<Values>, dialect: Dialect) => Query<Row>

/**
 * Returns a query that is built once per kind of database, at its first run. A write without `returning` yields no
 * rows.
 */
export function prepared<Values extends object, Row>(build: Build<Values, Row>): Prepared<Values, Row> {
  const statements = new Map<Dialect, Statement<Values>>()
  return {
    statement(dialect) {
      const known = statements.get(dialect)
      if (known) return known
      const made = compile(build, dialect)
      statements.set(dialect, made)
      return made
    },
  }
}

function compile<Values extends object, Row>(build: Build<Values, Row>, dialect: Dialect): Statement<Values> {
  const { sql: text, parameters } = compiled(build(dialect.builder, places<Values>(), dialect), dialect.builder)
  return {
    text,
    name: statementName(text),
    parameters: (values) => parameters.map((parameter) => valueFor(parameter, values, dialect)),
  }
}

function compiled(query: Query<unknown>, provider: QueryExecutorProvider): CompiledQuery {
  return query.isRawBuilder ? query.compile(provider) : query.compile()
}

class Place {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

function places<Values>(): Places<Values> {
  return new Proxy({}, { get: (_, name) => sql`${new Place(String(name))}` }) as Places<Values>
}

function valueFor(parameter: unknown, values: object, dialect: Dialect): unknown {
  if (!(parameter instanceof Place)) return parameter
  const value = (values as Readonly<Record<string, unknown>>)[parameter.name]
  if (value === undefined) throw new Error(`The query was run without a value for "${parameter.name}".`)
  return Array.isArray(value) ? dialect.list(value) : value
}

/**
 * Returns the name under which PostgreSQL caches a prepared statement. Equal texts have equal names in every process,
 * because processes behind a pooler share the statements of a connection.
 */
export function statementName(text: string): string {
  return `q${hash('sha256', text, 'hex').slice(0, 32)}`
}
