import { distribute, type Money } from '../../money.ts'
import { chargeableCeiling, chargeableFloor, chargeableParts } from '../chargeable.ts'

/** A gift voucher; `amount` is its initial balance. */
export interface Voucher extends Money {
  readonly id: string
  /**
   * The last four characters of the code, by which staff recognise a voucher; only a hash of the whole code is stored.
   */
  readonly hint: string
  /** The last date on which the voucher can be redeemed, in the site's time zone (`YYYY-MM-DD`); null for no limit. */
  readonly validUntil: string | null
  readonly createdAt: number
}

/** A voucher with its remaining balance, in the smallest unit of the currency. */
export interface BalancedVoucher extends Voucher {
  readonly balance: number
}

/** The 32 digits of voucher codes: 0 to 9, and capital letters without I, L, O and U, which look like other digits. */
export const codeDigits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** The number of digits of a voucher code: 80 bits of entropy, which rules out guessing. */
export const codeLength = 16

/**
 * Returns the form of a typed voucher code that is hashed and compared: without spaces and hyphens, in capitals, and
 * with digits in place of the letters O, I and L.
 */
export function voucherCode(typed: string): string {
  return typed
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s-]+/g, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1')
}

/** Returns a voucher code as it is printed: in groups of four characters, separated by hyphens. */
export function printedCode(code: string): string {
  return (code.match(/.{1,4}/g) ?? []).join('-')
}

/** Whether the last date on which a voucher can be redeemed is before `today`. */
export function hasExpired({ validUntil }: Pick<Voucher, 'validUntil'>, today: string): boolean {
  return validUntil !== null && validUntil < today
}

/** What a voucher is to pay. */
export interface VoucherDue {
  /** The present date in the site's time zone (`YYYY-MM-DD`). */
  readonly today: string
  readonly currency: string | null
  /** The maximum amount that the voucher is to pay, in the smallest unit of the currency. */
  readonly due: number
  /** The part of `due` that must be paid online. */
  readonly online: number
}

/**
 * Returns how much of an amount due a voucher pays on a date; 0 when the voucher cannot be redeemed. If the voucher
 * does not cover what is due online, it pays such an amount that the payment processor can charge the rest.
 */
export function redeemable(voucher: BalancedVoucher, { today, currency, due, online }: VoucherDue): number {
  if (voucher.currency !== currency) return 0
  if (hasExpired(voucher, today)) return 0
  const most = Math.max(0, Math.min(voucher.balance, due))
  const rest = online - most
  return rest > 0 ? Math.max(0, online - chargeableCeiling({ amount: rest, currency })) : most
}

/** The price of one seat of a booking, and how much of it is due online, in the smallest unit of the currency. */
export interface SeatPrice {
  readonly price: number
  readonly online: number
}

/**
 * Divides the amount that a voucher pays over the seats (persons) of a booking: first in proportion to what is due
 * online for them, then in proportion to what is left of their prices. What all seats together owe online is thus
 * reduced by the whole amount, as the summary of the booking shows it. The remainder of rounding goes to the last
 * seats. If the voucher does not cover all seats, a part of the first seat, which is that of the customer who booked,
 * therefore remains to be paid.
 */
export function dividedOver({ amount, currency }: Money, seats: readonly SeatPrice[]): number[] {
  const divided = Math.min(amount, sumOf(seats.map(({ price }) => price)))
  const dues = seats.map(({ online }) => online)
  const online = dividedBy({ amount: Math.min(divided, sumOf(dues)), currency }, dues)
  const left = seats.map(({ price }, at) => price - (online[at] ?? 0))
  const later = dividedBy({ amount: divided - sumOf(online), currency }, left)
  return online.map((part, at) => part + (later[at] ?? 0))
}

function dividedBy({ amount, currency }: Money, most: readonly number[]): number[] {
  const weights = most.toReversed()
  // With a weight that the processor cannot charge, the rounding of parts to chargeable amounts could exceed it.
  const isChargeable = most.every((one) => chargeableFloor({ amount: one, currency }) === one)
  const parts = isChargeable ? chargeableParts(amount, weights, currency) : distribute(amount, weights)
  return parts.toReversed()
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0)
}
