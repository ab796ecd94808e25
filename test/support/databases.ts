import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migratePostgres } from '../../src/db/migrate.ts'
import type { Context, OperationTable } from '../../src/db/perform/app.ts'
import { type OpenStorage, open } from '../../src/server/open.ts'
import {
  administer,
  createDatabase,
  databaseUrl,
  dropDatabase,
  type PostgresServer,
  postgresServer,
} from './postgres.ts'

/** The kind of a database. */
export type DatabaseKind = 'sqlite' | 'postgres'

/** A migrated database that belongs to one test. */
export interface FreshDatabase {
  readonly kind: DatabaseKind
  readonly at: { readonly dataDir: string } | { readonly databaseUrl: string }
  remove(): Promise<void>
}

/** Returns the databases available here, and why others are not. */
export async function databasesHere(): Promise<{ kind: DatabaseKind; skip: false | string }[]> {
  const server = await postgresServer()
  return [
    { kind: 'sqlite', skip: false },
    { kind: 'postgres', skip: server ? false : 'PostgreSQL is not installed' },
  ]
}

/** Creates a database: a directory for SQLite, a copy of a migrated template for PostgreSQL. */
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

/** Returns the URL behind the pooler on the port of `DAYBOOK_TEST_POOLER_PORT`; the URL itself without one. */
function pooled(url: string): string {
  const port = process.env.DAYBOOK_TEST_POOLER_PORT
  if (port === undefined) return url
  const target = new URL(url)
  target.port = port
  target.searchParams.set('prepared_statements', 'no')
  return target.href
}

/** Returns the URL of a database without the pooler, for connections that keep locks or settings between transactions. */
export async function direct(url: string): Promise<string> {
  const target = new URL(url)
  target.port = new URL((await serverHere()).url).port
  return target.href
}

/** Opens fresh storage for the duration of `work`, with the operations that the module exports. */
export async function withStorage<C extends OperationTable>(
  kind: DatabaseKind,
  operations: URL,
  work: (opened: OpenStorage<C>, fresh: FreshDatabase) => Promise<void>,
): Promise<void> {
  const fresh = await freshDatabase(kind)
  const opened = await open<C>({ at: fresh.at, operations })
  try {
    await work(opened, fresh)
  } finally {
    await opened.close()
    await fresh.remove()
  }
}

/** Returns the context of a write with defaults for omitted fields. */
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

/** Migrates the database that test files copy; they find it through the environment. `stop` drops it. */
export async function shareTemplate(server: PostgresServer): Promise<{ stop(): Promise<void> }> {
  const name = await makeTemplate(server)
  process.env[sharedTemplate] = name
  return { stop: () => dropDatabase(server, databaseUrl(server, name)) }
}

async function makeTemplate(server: PostgresServer): Promise<string> {
  // One per process: a template that is in use cannot be changed.
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
