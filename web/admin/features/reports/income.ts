import type { Money } from '../../../../src/money.ts'

/** Returns the sum of the income of all rows of a report in each currency, in minor units, the largest sum first. */
export function incomeTotal(rows: readonly { readonly income: readonly Money[] }[]): Money[] {
  const sums = new Map<string, number>()
  for (const { income } of rows)
    for (const { currency, amount } of income) sums.set(currency, (sums.get(currency) ?? 0) + amount)
  return [...sums].map(([currency, amount]) => ({ currency, amount })).sort((one, other) => other.amount - one.amount)
}

/** Formats amounts of several currencies, in minor units, as one text. */
export function incomeText(income: readonly Money[], money: (amount: number, currency: string) => string): string {
  return income.map(({ amount, currency }) => money(amount, currency)).join(', ')
}
