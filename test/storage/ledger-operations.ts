import { sql } from 'kysely'
import type { Operation, OperationTable } from '../../src/db/perform/app.ts'
import { post, postTotals } from '../../src/payments/ledger/ledger.operations.ts'
import type { Fact } from '../../src/payments/ledger/ledger.ts'

const postAll: Operation<readonly Fact[], void> = (tx, facts) => post(tx, facts)

const totals: Operation<readonly Fact[], void> = (tx, facts) => postTotals(tx, facts)

const run: Operation<{ readonly text: string }, void> = async (tx, { text }) => {
  await sql.raw(text).execute(tx.db.build)
}

export const operations = { post: postAll, totals, run } as const satisfies OperationTable

export type LedgerCommands = typeof operations

/** The URL of this module, from which `withStorage` loads the operations. */
export const ledgerOperations = new URL(import.meta.url)
