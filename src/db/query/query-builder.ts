import {
  type CompiledQuery,
  type DialectAdapter,
  type Driver,
  Kysely,
  type QueryCompiler,
  type QueryResult,
} from 'kysely'
import type { Tables } from './tables.ts'

/** Executes one compiled query: on a connection, in a transaction, or on any connection of a pool. */
export type Execute = (query: CompiledQuery) => Promise<QueryResult<unknown>>

/** The parts of a Kysely dialect that depend on the kind of database. */
export interface Grammar {
  createAdapter(): DialectAdapter
  createQueryCompiler(): QueryCompiler
}

/**
 * Returns a query builder whose queries run through `execute`. The query builder throws when it is asked to open a
 * transaction.
 */
export function builderOver(grammar: Grammar, execute: Execute): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: grammar.createAdapter,
      createQueryCompiler: grammar.createQueryCompiler,
      createDriver: () => driverOver(execute),
      createIntrospector: () => refuse('introspect'),
    },
  })
}

function driverOver(execute: Execute): Driver {
  const connection = {
    executeQuery: async <Row>(query: CompiledQuery) => (await execute(query)) as QueryResult<Row>,
    streamQuery: () => refuse('stream'),
  }
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: async () => refuse('begin'),
    commitTransaction: async () => refuse('commit'),
    rollbackTransaction: async () => refuse('roll back'),
    destroy: async () => {},
  }
}

function refuse(action: string): never {
  throw new Error(`The query builder does not ${action}: use the write seam, snapshot() or stream().`)
}
