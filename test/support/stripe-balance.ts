/** Returns Stripe's fee for a charge: 1.5 percent and 25 cents; all amounts in cents. */
export function feeOf(amount: number): number {
  return Math.round((amount * 150) / 10_000) + 25
}

/** A transaction of the account's balance, in the fields of Stripe's API; amounts in minor currency units. */
export interface StandInTransaction {
  readonly id: string
  readonly type: 'charge' | 'refund' | 'refund_failure' | 'adjustment' | 'payout'
  readonly reporting_category: string
  readonly source: string
  readonly amount: number
  readonly fee: number
  readonly currency: string
  readonly created: number
  payout: string | null
}

/** A payout of the account's balance to the bank; the amount in minor currency units, times in Unix seconds. */
export interface StandInPayout {
  readonly id: string
  readonly amount: number
  readonly currency: string
  readonly automatic: boolean
  readonly created: number
  readonly arrival_date: number
  status: 'pending' | 'paid' | 'failed'
}

interface Moved {
  readonly type: StandInTransaction['type']
  readonly source: string
  readonly amount: number
  readonly fee?: number
  readonly currency: string
  readonly category?: string
}

/** The balance of the account at the stand-in for Stripe: transactions, payouts, and their lists in pages. */
export class StandInBalance {
  readonly transactions: StandInTransaction[] = []
  readonly payouts: StandInPayout[] = []
  /** The maximum number of items on a page, even if a request asks for more. */
  perPage = 100
  readonly #now: () => number
  readonly #next: () => number

  constructor(now: () => number, next: () => number) {
    this.#now = now
    this.#next = next
  }

  /** Records a transaction of the balance, and returns it; amount and fee in minor currency units. */
  move({ type, source, amount, fee = 0, currency, category = type }: Moved): StandInTransaction {
    const id = `txn_${this.#next()}`
    const transaction: StandInTransaction = {
      ...{ id, type, reporting_category: category, source, amount, fee, currency, created: this.#now(), payout: null },
    }
    this.transactions.push(transaction)
    return transaction
  }

  /**
   * Pays out all transactions of a currency that belong to no payout; `missing` makes the payout too small by that many
   * cents. As at Stripe, the transactions of a manual payout (`automatic: false`) are not assigned to it.
   */
  payOut({ automatic = true, missing = 0, currency = 'eur' } = {}): StandInPayout {
    const parts = this.transactions.filter((one) => one.payout === null && one.currency === currency)
    const amount = parts.reduce((sum, one) => sum + one.amount - one.fee, 0) - missing
    const at = this.#now()
    const payout: StandInPayout = {
      ...{ id: `po_${this.#next()}`, amount, currency, automatic, created: at, arrival_date: at + 2 * 86_400 },
      status: 'paid',
    }
    this.payouts.push(payout)
    const own = this.move({ type: 'payout', source: payout.id, amount: -amount, currency })
    if (automatic) for (const one of [...parts, own]) one.payout = payout.id
    return payout
  }

  /** Returns a page of the transactions or of the payouts, the newest first; undefined for another path. */
  list(path: string, sent: URLSearchParams, sourceOf: (id: string) => object): object | undefined {
    if (path !== '/v1/balance_transactions' && path !== '/v1/payouts') return undefined
    const [from, until] = [sent.get('created[gte]'), sent.get('created[lt]')]
    const inTime = ({ created }: { readonly created: number }) =>
      created >= Number(from ?? 0) && created < Number(until ?? Number.MAX_SAFE_INTEGER)
    const after = sent.get('starting_after')
    const page = <Row extends { readonly id: string }>(rows: readonly Row[], shown: (row: Row) => object): object => {
      const begin = after === null ? 0 : rows.findIndex(({ id }) => id === after) + 1
      const most = Math.min(this.perPage, Number(sent.get('limit') ?? 10))
      const data = rows.slice(begin, begin + most)
      return { object: 'list', has_more: begin + most < rows.length, data: data.map(shown) }
    }
    if (path === '/v1/payouts')
      return page(this.payouts.filter(inTime).toReversed(), (one) => ({ object: 'payout', ...one }))
    const payout = sent.get('payout')
    const rows = this.transactions.filter((one) => inTime(one) && (payout === null || one.payout === payout))
    const expanded = [...sent].some(([name, value]) => name.startsWith('expand') && value === 'data.source')
    return page(rows.toReversed(), (one) => ({
      ...shownTransaction(one),
      ...(expanded && { source: sourceOf(one.source) }),
    }))
  }
}

/** Returns a transaction of the balance as Stripe's API returns it. */
export function shownTransaction({ payout: _, ...transaction }: StandInTransaction): object {
  return { object: 'balance_transaction', ...transaction, net: transaction.amount - transaction.fee }
}
