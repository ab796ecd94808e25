import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'pg'
import { dataSettings } from '../../config.ts'
import { databaseFile, isDatabaseCopy } from '../../db/data-dir.ts'
import { openPool } from '../../db/postgres/postgres.ts'
import { rewriteFile } from '../../db/sqlite/sqlite-file.ts'
import { type CommandCaller, done, type Ending, type ProcessCommand, refused } from '../framework/command.ts'
import { acquireDataDir } from '../framework/data.ts'
import { isPartialFile } from './atomic-file.ts'

/** Rewrites the database, SQLite or PostgreSQL, so that no byte of deleted or erased rows remains in it. */
export const vacuum: ProcessCommand = {
  on: 'process',
  options: {},
  settings: dataSettings,
  positionals: [],
  async run({ config, caller }) {
    if (config.databaseUrl !== undefined) {
      return rewritePostgres(config.databaseUrl, caller)
    }
    const dataDir = resolve(config.dataDir)
    const file = databaseFile(dataDir)
    if (!existsSync(file)) return refused(`There is no database in ${config.dataDir}.`)
    const lock = await acquireDataDir(config.dataDir)
    if (!lock) return refused(`A server runs on ${config.dataDir}. Stop it, then vacuum.`)
    try {
      const before = statSync(file).size
      rewriteFile(file)
      const copies = readdirSync(dataDir).filter((name) => isDatabaseCopy(name) || isPartialFile(name))
      const warnings = copies
        .sort()
        .map((name) => `${join(dataDir, name)} still holds what was erased since it was written: delete it.\n`)
      return done(`Rewritten: ${before} bytes before, ${statSync(file).size} now.\n${warnings.join('')}`)
    } finally {
      lock.release()
    }
  },
}

// The maximum number of seconds to wait for other transactions. Longer transactions are rare, and an operator who sees
// the progress note may end one.
const secondsToWait = 300
const pollMilliseconds = 100

async function rewritePostgres(url: string, caller: CommandCaller): Promise<Ending> {
  const pool = openPool({ url, size: 1, warn: () => {} })
  try {
    // Planner statistics contain column values, also of deleted rows. They are collected anew once no other transaction
    // sees the deleted rows.
    if (!(await olderHaveEnded(pool, caller))) return stillSeen()
    await pool.query('analyze')
    await forgetEmpty(pool)
    // The previous planner statistics are now dead rows themselves. A transaction that began in the meantime, such as
    // an autovacuum, may still see them, so the tables are rewritten only after it has ended.
    const until = performance.now() + secondsToWait * 1000
    do {
      if (performance.now() > until || !(await olderHaveEnded(pool, caller))) return stillSeen()
      caller.note('vacuum: each table is locked while it is rewritten …')
    } while ((await rewriteTables(pool)) > 0)
    return done('Rewritten. The server’s write-ahead log and backups keep deleted rows for as long as they are kept.\n')
  } finally {
    await pool.end()
  }
}

/**
 * Rewrites every table of a PostgreSQL database; returns the number of dead rows that remain because another
 * transaction may see them.
 */
async function rewriteTables(pool: Pool): Promise<number> {
  const client = await pool.connect()
  let kept = 0
  // Even after `olderHaveEnded`, VACUUM FULL retains dead rows while an old enough transaction runs in another database
  // of the server. VACUUM VERBOSE sends a notice for each table; its detail begins with the number of retained rows,
  // whatever the language of the server.
  client.on('notice', ({ detail = '' }) => {
    kept += Number(/\d+/.exec(detail)?.[0] ?? 0)
  })
  try {
    await client.query('vacuum (full, verbose)')
  } finally {
    client.release(true)
  }
  return kept
}

function stillSeen(): Ending {
  return refused(
    'Another transaction in the database still sees deleted rows, so they would be kept. End it, then vacuum.',
  )
}

/**
 * Waits until all transactions in this database that began before the call have ended, since PostgreSQL retains deleted
 * rows that such transactions may see. Returns false when some have not ended after `secondsToWait`.
 */
async function olderHaveEnded(pool: Pool, caller: CommandCaller): Promise<boolean> {
  const { rows: clock } = await pool.query<{ now: string }>('select clock_timestamp()::text as now')
  const older = `
    select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and (backend_xmin is not null or backend_xid is not null) and xact_start < $1::timestamptz`
  const until = performance.now() + secondsToWait * 1000
  for (let told = false; performance.now() < until; told = true) {
    const { rows } = await pool.query<{ pid: number }>(older, [clock[0]?.now])
    if (rows.length === 0) return true
    if (!told) caller.note(`vacuum: waiting for transactions (process ${rows.map(({ pid }) => pid).join(', ')}) …`)
    await pause(pollMilliseconds)
  }
  return false
}

/**
 * Drops the planner statistics of the text columns of empty tables. These statistics may contain values of deleted
 * rows, and ANALYZE leaves them unchanged while a table is empty.
 */
async function forgetEmpty(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ table: string; column: string }>(`
    select quote_ident(tablename) as table, quote_ident(attname) as column from pg_stats
      join pg_attribute using (attname) join pg_class on pg_class.oid = attrelid and relname = tablename
    where schemaname = current_schema() and relnamespace = current_schema()::regnamespace and atttypid = 'text'::regtype
      and relkind = 'r'`)
  for (const [table, columns] of Map.groupBy(rows, (row) => row.table)) {
    const { rowCount } = await pool.query(`select 1 from ${table} limit 1`)
    if (rowCount !== 0) continue
    // Changing the type of a column drops its statistics, even to the same type. All text of the database sorts by code
    // point; without `collate`, the column would get the collation of the database.
    const changes = columns.map(({ column }) => `alter column ${column} type text collate "C"`)
    await pool.query(`alter table ${table} ${changes.join(', ')}`)
  }
}
