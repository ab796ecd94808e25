import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { migratePostgres } from '../../src/db/migrate.ts'
import type { Context, OperationTable } from '../../src/db/perform/app.ts'
import { openPool } from '../../src/db/postgres/postgres.ts'
import { type OpenOptions, type OpenStorage, open } from '../../src/server/open.ts'
import {
  administer,
  createDatabase,
  databaseUrl,
  dropDatabase,
  type PostgresServer,
  postgresServer,
} from './postgres.ts'

/** The kind of database on which a test runs. */
export type DatabaseKind = 'sqlite' | 'postgres'

/**
 * A database that belongs to one test: `at` is the directory of SQLite or the URL of PostgreSQL, and `remove` deletes
 * the database.
 */
export interface FreshDatabase {
  readonly kind: DatabaseKind
  readonly at: { readonly dataDir: string } | { readonly databaseUrl: string }
  remove(): Promise<void>
}

/**
 * Returns each kind of database with the reason to skip its tests, or false where the database can be used: it is
 * installed on this machine, and `DAYBOOK_TEST_DATABASE` does not name the other kind.
 */
export async function databasesHere(): Promise<{ kind: DatabaseKind; skip: false | string }[]> {
  const server = await postgresServer()
  return [
    { kind: 'sqlite', skip: excluded('sqlite') },
    { kind: 'postgres', skip: excluded('postgres') || (server ? false : 'PostgreSQL is not installed') },
  ]
}

/** Returns why `DAYBOOK_TEST_DATABASE` excludes tests on this kind of database; false if it does not. */
export function excluded(kind: DatabaseKind): false | string {
  const only = process.env.DAYBOOK_TEST_DATABASE
  return only !== undefined && only !== kind && `DAYBOOK_TEST_DATABASE is ${only}`
}

/** Creates an empty directory for SQLite, or for PostgreSQL a database as a copy of a migrated template. */
export async function freshDatabase(kind: DatabaseKind): Promise<FreshDatabase> {
  if (kind === 'sqlite') {
    const dataDir = mkdtempSync(join(tmpdir(), 'daybook-test-'))
    return { kind, at: { dataDir }, remove: async () => rmSync(dataDir, { recursive: true, force: true }) }
  }
  const server = await serverHere()
  const url = await createDatabase(server, await template(server))
  return { kind, at: { databaseUrl: pooled(url) }, remove: () => dropDatabase(server, url) }
}

/** Creates a PostgreSQL database without tables. */
export async function emptyDatabase(): Promise<FreshDatabase> {
  const server = await serverHere()
  const url = await createDatabase(server)
  return { kind: 'postgres', at: { databaseUrl: pooled(url) }, remove: () => dropDatabase(server, url) }
}

/**
 * Returns the URL of a database with the port of the connection pooler, `DAYBOOK_TEST_POOLER_PORT`, and with prepared
 * statements disabled; returns the URL unchanged when that variable is not set.
 */
function pooled(url: string): string {
  const port = process.env.DAYBOOK_TEST_POOLER_PORT
  if (port === undefined) return url
  const target = new URL(url)
  target.port = port
  target.searchParams.set('prepared_statements', 'no')
  return target.href
}

/**
 * Returns the URL of a database without the pooler, for connections that hold locks or settings between transactions.
 */
export async function withoutPooler(url: string): Promise<string> {
  const target = new URL(url)
  target.port = new URL((await serverHere()).url).port
  return target.href
}

/** Opens the storage of a test on its database, with the write operations that a module exports (see `OpenOptions`). */
export function openStorage<C extends OperationTable>(
  options: Pick<OpenOptions, 'at' | 'operations' | 'onInvalidation'>,
): Promise<OpenStorage<C>> {
  // On PostgreSQL, storage that serves requests refuses a read or write that has no connection within 800 ms, which a
  // busy machine needs to open one. Like the outbound thread, the storage of a test waits longer, and it does not poll
  // for the commits of other nodes by itself.
  return open<C>({ ...options, thread: !('databaseUrl' in options.at) })
}

/**
 * Opens a pool of connections to a PostgreSQL database as the service does, except that it waits up to a minute for a
 * connection: a busy machine may need seconds to open one.
 */
export function openPatientPool(url: string, size = 1): pg.Pool {
  return openPool({ url, size, connectTimeout: 60_000, warn: () => {} })
}

/**
 * Runs `work` with a fresh database, opened with the write operations that the module at the URL `operations` exports.
 */
export async function withStorage<C extends OperationTable>(
  kind: DatabaseKind,
  operations: URL,
  work: (opened: OpenStorage<C>, fresh: FreshDatabase) => Promise<void>,
): Promise<void> {
  const fresh = await freshDatabase(kind)
  const opened = await openStorage<C>({ at: fresh.at, operations })
  try {
    await work(opened, fresh)
  } finally {
    await opened.close()
    await fresh.remove()
  }
}

/**
 * Returns the context of a write, such as its time, caller and idempotency key: the given fields, and defaults for the
 * others.
 */
export function contextWith(given: Partial<Context> = {}): Context {
  return {
    now: 1_800_000_000,
    actor: { kind: 'command', id: 'test' },
    requestId: null,
    dryRun: false,
    idempotency: null,
    ...given,
  }
}

let made: Promise<string> | undefined

function template(server: PostgresServer): Promise<string> {
  const shared = process.env[sharedTemplate]
  made ??= shared === undefined ? makeTemplate(server) : Promise.resolve(shared)
  return made
}

const sharedTemplate = 'DAYBOOK_TEST_TEMPLATE'

/**
 * Creates the migrated template database that test files copy, and puts its name into an environment variable for them.
 * `stop` drops the template.
 */
export async function shareTemplate(server: PostgresServer): Promise<{ stop(): Promise<void> }> {
  const name = await makeTemplate(server)
  process.env[sharedTemplate] = name
  return { stop: () => dropDatabase(server, databaseUrl(server, name)) }
}

async function makeTemplate(server: PostgresServer): Promise<string> {
  // The name contains the process id, because several processes may create a template at the same time: PostgreSQL can
  // neither copy a database nor drop it without `force` while another process is connected to it.
  const name = `daybook_template_${process.pid}`
  await administer(server, `drop database if exists ${name}`, `create database ${name}`)
  await migratePostgres(databaseUrl(server, name), 0)
  return name
}

async function serverHere(): Promise<PostgresServer> {
  const server = await postgresServer()
  if (!server) throw new Error('PostgreSQL is not installed.')
  return server
}
