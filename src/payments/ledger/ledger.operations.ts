import type { Tx } from '../../db/perform/app.ts'
import { insertPosting } from './ledger.sql.ts'
import { entryOf, type Fact } from './ledger.ts'

/** Records facts in the books, each once; facts without an amount are left out. */
export async function post(tx: Tx, facts: readonly Fact[]): Promise<void> {
  for (const fact of facts) {
    if (fact.amount === 0) continue
    await insertPosting(tx.db, { id: tx.newId('posting'), fact, entry: entryOf(fact), postedAt: tx.now })
  }
}
