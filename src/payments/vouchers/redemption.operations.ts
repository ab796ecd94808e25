import { hash } from 'node:crypto'
import type { Tx } from '../../db/perform/app.ts'
import { fieldRefusal } from '../../messages/refusal.ts'
import type { Money } from '../../money.ts'
import { post } from '../ledger/ledger.operations.ts'
import { type BalancedVoucher, redeemable, type VoucherDue, voucherCode } from './voucher.ts'
import { findVoucher, findVoucherOf, listVoucherShares } from './vouchers.sql.ts'

/**
 * Returns the hash under which the voucher with a code is stored; the code may have any spelling (see `voucherCode`).
 */
export function voucherHash(typed: string): string {
  return hash('sha256', `voucher:${voucherCode(typed)}`, 'hex')
}

/** A request to pay by voucher. */
export interface VoucherWish extends VoucherDue {
  /** The voucher code as the customer or staff typed it. */
  readonly code: string
}

/**
 * Locks the voucher of a code until the transaction ends, so that concurrent bookings cannot spend the same balance,
 * and returns it with the amount that it pays. Refuses a code that pays nothing. The caller must already hold all other
 * locks.
 */
export async function claimVoucher(
  tx: Tx,
  wish: VoucherWish,
): Promise<{ readonly voucher: BalancedVoucher; readonly amount: number }> {
  const seen = await findVoucherOf(tx.db, voucherHash(wish.code))
  if (seen) await tx.lock([`voucher:${seen.id}`])
  const voucher = seen && (await findVoucher(tx.db, seen.id))
  const amount = voucher ? redeemable(voucher, wish) : 0
  if (!voucher || amount === 0) throw fieldRefusal('code', 'coupon_invalid')
  return { voucher, amount }
}

/** Records in the books what a voucher pays for reservations. The caller must have locked it with `claimVoucher`. */
export async function spendVoucher(
  tx: Tx,
  { id: voucherId, currency }: Pick<BalancedVoucher, 'id' | 'currency'>,
  parts: readonly { readonly reservationId: string; readonly amount: number }[],
): Promise<void> {
  const facts = parts.map(({ reservationId, amount }) => {
    const cause = tx.newId('posting')
    return { kind: 'voucher_use', cause, voucherId, reservationId, amount, currency } as const
  })
  await post(tx, facts)
}

/**
 * Returns an amount to the vouchers that paid for a reservation, the last used first; to each at most the part of
 * its payment that was not returned yet.
 */
export async function returnToVouchers(
  tx: Tx,
  { reservationId, amount, currency }: Money & { readonly reservationId: string },
): Promise<void> {
  const shares = await listVoucherShares(tx.db, reservationId)
  await tx.lock(shares.map(({ voucherId }) => `voucher:${voucherId}`))
  let left = amount
  const facts = shares.map(({ voucherId, left: most }) => {
    const part = Math.min(most, left)
    left -= part
    const cause = tx.newId('posting')
    return { kind: 'voucher_refund', cause, voucherId, reservationId, amount: part, currency } as const
  })
  await post(tx, facts)
}
