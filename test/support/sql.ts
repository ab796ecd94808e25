import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

/** The value of a column of a row; integers are numbers on both databases. */
export type SqlValue = string | number | null
/** The values of one row by column name. */
export type SqlRow = Readonly<Record<string, SqlValue>>

/** Queries the database directly; placeholders are `?`, and integers are returned as numbers. */
export interface Sql {
  (text: string, values?: readonly SqlValue[]): Promise<readonly SqlRow[]>
  /** Closes the SQLite files until the next query; has no effect on PostgreSQL. */
  rest(): void
  close(): Promise<void>
}

/** Opens a database for queries of a test: PostgreSQL when `databaseUrl` is defined, otherwise SQLite in `dataDir`. */
export function openSql(place: { readonly databaseUrl?: string | undefined; readonly dataDir: string }): Sql {
  return place.databaseUrl === undefined
    ? overSqlite(join(place.dataDir, 'daybook.db'))
    : overPostgres(place.databaseUrl)
}

function overSqlite(file: string): Sql {
  let database: DatabaseSync | undefined
  const ask = async (text: string, values: readonly SqlValue[] = []): Promise<readonly SqlRow[]> => {
    // A write waits this long for the lock of the service, whose transactions a busy machine makes long.
    database ??= new DatabaseSync(file, { timeout: 60_000 })
    return database
      .prepare(text)
      .all(...values)
      .map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])))
  }
  const rest = () => {
    database?.close()
    database = undefined
  }
  return Object.assign(ask, { rest, close: async () => rest() })
}

function overPostgres(databaseUrl: string): Sql {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  // A test may drop the database before the last connection has closed, which the pool reports as an error.
  pool.on('error', () => {})
  const ask = async (text: string, values: readonly SqlValue[] = []): Promise<readonly SqlRow[]> => {
    let place = 0
    const { rows, fields } = await pool.query({ text: text.replaceAll('?', () => `$${++place}`), values: [...values] })
    const bigints = new Set(fields.filter((field) => field.dataTypeID === 20).map((field) => field.name))
    return rows.map((row: object) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          bigints.has(name) && value !== null ? Number(value) : plain(value),
        ]),
      ),
    )
  }
  return Object.assign(ask, { rest: () => {}, close: () => pool.end() })
}

function plain(value: unknown): SqlValue {
  return typeof value === 'string' || typeof value === 'number' || value === null ? value : String(value)
}
