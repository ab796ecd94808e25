import { distribute, type Money } from '../../money.ts'

/** A gift voucher; `amount` is what it was sold for. */
export interface Voucher extends Money {
  readonly id: string
  /** The last characters of the code, by which staff recognise a voucher; the code itself is stored nowhere. */
  readonly hint: string
  /** The last date on which it can be redeemed, by the site's clock (`YYYY-MM-DD`); null without one. */
  readonly validUntil: string | null
  readonly createdAt: number
}

/** A voucher with what is left of it. */
export interface BalancedVoucher extends Voucher {
  readonly balance: number
}

/** The digits of codes: without letters that look like another digit. */
export const codeDigits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** The number of digits of a code: 80 bits of entropy, which rules out guessing. */
export const codeLength = 16

/** Returns a typed code as it is compared: without spaces and hyphens, and with digits for letters that look like them. */
export function voucherCode(typed: string): string {
  return typed
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s-]+/g, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1')
}

/** Returns a code in groups of four, as it is printed. */
export function printedCode(code: string): string {
  return (code.match(/.{1,4}/g) ?? []).join('-')
}

/** Returns what of a price a voucher pays on a date; 0 for one that cannot be redeemed. */
export function redeemable(
  voucher: BalancedVoucher,
  of: { readonly today: string; readonly currency: string | null; readonly due: number },
): number {
  if (voucher.currency !== of.currency) return 0
  if (voucher.validUntil !== null && of.today > voucher.validUntil) return 0
  return Math.max(0, Math.min(voucher.balance, of.due))
}

/**
 * Divides what a voucher pays over the seats of a booking, in proportion to their prices. What rounding leaves goes to the
 * last seats, so that the seat of the customer who booked is among those that are left to be paid.
 */
export function dividedOver(amount: number, prices: readonly number[]): number[] {
  const total = prices.reduce((sum, price) => sum + price, 0)
  return distribute(Math.min(amount, total), prices.toReversed()).toReversed()
}
