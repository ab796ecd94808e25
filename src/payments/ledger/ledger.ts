import type { Money } from '../../money.ts'

/**
 * The accounts of the books: money at the processor, at the desk and in the bank; liabilities for vouchers; sales; the
 * processor's fees; refunds, disputes and waived amounts, which reduce the sales; and the forfeited balances of closed
 * vouchers (`breakage`).
 */
export type Account =
  | 'processor'
  | 'on_site'
  | 'bank'
  | 'vouchers'
  | 'sales'
  | 'fees'
  | 'refunds'
  | 'disputes'
  | 'written_off'
  | 'breakage'

/**
 * Every kind of posting (a movement of money in the books), with the account that it debits and the account that it
 * credits; for a negative amount, the two accounts are swapped.
 */
const movements = {
  /** A customer paid through the processor. */
  charge: { debit: 'processor', credit: 'sales' },
  /** The processor deducted a fee or, with a negative amount, returned one. */
  fee: { debit: 'fees', credit: 'processor' },
  /** The processor accepted a refund to a customer. */
  refund: { debit: 'refunds', credit: 'processor' },
  /** A refund failed, so the money is with the processor again. */
  refund_failed: { debit: 'processor', credit: 'refunds' },
  /** A customer disputed a charge, and the processor took the amount back. */
  dispute: { debit: 'disputes', credit: 'processor' },
  /** A dispute was won, and the processor gave the amount back. */
  dispute_won: { debit: 'processor', credit: 'disputes' },
  /** A customer paid at the desk. */
  on_site: { debit: 'on_site', credit: 'sales' },
  /** The desk gave money back. */
  on_site_refund: { debit: 'refunds', credit: 'on_site' },
  /** A voucher was sold at the desk. */
  voucher_sale: { debit: 'on_site', credit: 'vouchers' },
  /** A voucher was used to pay. */
  voucher_use: { debit: 'vouchers', credit: 'sales' },
  /** An amount that a voucher had paid was returned to the voucher. */
  voucher_refund: { debit: 'refunds', credit: 'vouchers' },
  /** Staff closed a voucher, such as after its last valid date, and its remaining balance was forfeited. */
  voucher_expired: { debit: 'vouchers', credit: 'breakage' },
  /** An amount due was waived: the books record both the sale and the loss. */
  write_off: { debit: 'written_off', credit: 'sales' },
  /** The processor paid out to the bank or, with a negative amount, the money moved back from the bank. */
  payout: { debit: 'bank', credit: 'processor' },
} as const satisfies Readonly<Record<string, { readonly debit: Account; readonly credit: Account }>>

/** A kind of posting, that is, of a movement of money in the books. */
export type PostingKind = keyof typeof movements

/** Every kind of posting. */
export const postingKinds = Object.keys(movements) as readonly PostingKind[]

/** Returns the account that a posting of a kind debits if its amount is positive. */
export function debitOf(kind: PostingKind): Account {
  return movements[kind].debit
}

/** The kinds of postings that record a customer's payment for a reservation. */
export const saleKinds: readonly PostingKind[] = ['charge', 'on_site', 'voucher_use']

/** Whether a posting of this kind records a customer's payment for a reservation. */
export function isSale(kind: PostingKind): boolean {
  return saleKinds.includes(kind)
}

/** The service, provider and tax rate of a posting; all null when no reservation is known for it. */
export interface PostingSubject {
  readonly serviceId: string | null
  readonly providerId: number | null
  /** The rate of the tax that the amount includes, in basis points; null when no tax rate applies. */
  readonly taxRate: number | null
}

/** The kinds of postings that make up the income: payments for reservations, refunds, disputes, and their reversals. */
export const incomeKinds: readonly PostingKind[] = [
  ...saleKinds,
  'refund',
  'refund_failed',
  'on_site_refund',
  'voucher_refund',
  'dispute',
  'dispute_won',
]

/** A movement of money to be recorded in the books. */
export interface Fact extends Money {
  readonly kind: PostingKind
  /**
   * The id of what caused the movement, unique among the movements of one kind. Of several facts with the same kind and
   * cause, only one is recorded.
   */
  readonly cause: string
  readonly paymentId?: string | null
  readonly reservationId?: string | null
  readonly voucherId?: string | null
}

/** An amount that moves from the account credited to the account debited. */
export interface Entry extends Money {
  readonly debit: Account
  readonly credit: Account
}

/**
 * Returns the entry that records a movement of money in the books: the amount, and the accounts that are debited and
 * credited. For a negative amount, the two accounts are swapped.
 */
export function entryOf({ kind, amount, currency }: Fact): Entry {
  const { debit, credit } = movements[kind]
  return amount < 0 ? { debit: credit, credit: debit, amount: -amount, currency } : { debit, credit, amount, currency }
}

// Sales and the accounts that reduce them, except `written_off`: `incomeOf` ignores the entries of waived amounts,
// which also credit `sales`.
const incomeAccounts: readonly Account[] = ['sales', 'refunds', 'disputes']

/**
 * Returns what an entry adds to the income, in the smallest unit of the currency: negative for money that is returned
 * to a customer, 0 for entries that are no income, such as fees.
 */
export function incomeOf({ debit, credit, amount }: Entry): number {
  const side = (account: Account) => (incomeAccounts.includes(account) ? amount : 0)
  return debit === 'written_off' || credit === 'written_off' ? 0 : side(credit) - side(debit)
}

/** Balances by account and currency: debits less credits, in the smallest unit. */
export type Balances = ReadonlyMap<string, number>

/** The key of an account's balance in a currency. */
export function balanceKey(account: string, currency: string): string {
  return `${account} ${currency}`
}

/** Returns the balances of the accounts that these entries debit or credit, by `balanceKey`. */
export function balancesOf(entries: readonly Entry[]): Balances {
  const balances = new Map<string, number>()
  const add = (key: string, amount: number) => balances.set(key, (balances.get(key) ?? 0) + amount)
  for (const { debit, credit, amount, currency } of entries) {
    add(balanceKey(debit, currency), amount)
    add(balanceKey(credit, currency), -amount)
  }
  return balances
}
