/** The tables of payments and their books. */
export interface PaymentTables {
  ledger_account: LedgerAccountTable
  ledger_posting: LedgerPostingTable
  ledger_entry: LedgerEntryTable
}

/** One row of the table `ledger_account`: an account of the books. */
interface LedgerAccountTable {
  id: string
  kind: string
}

/** One row of the table `ledger_posting`: something that happened to money. */
interface LedgerPostingTable {
  id: string
  kind: string
  source: string
  payment_id: string | null
  reservation_id: string | null
  posted_at: number
}

/** One row of the table `ledger_entry`: an amount that a posting moves from one account to another. */
interface LedgerEntryTable {
  posting_id: string
  n: number
  debit: string
  credit: string
  amount: number
  currency: string
}
