import { hash } from 'node:crypto'
import type { Tx } from '../../db/perform/app.ts'
import { fieldRefusal } from '../../messages/refusal.ts'
import type { Money } from '../../money.ts'
import { post } from '../ledger/ledger.operations.ts'
import { type BalancedVoucher, redeemable, voucherCode } from './voucher.ts'
import { findVoucher, findVoucherOf, listVoucherShares } from './vouchers.sql.ts'

/** Returns the hash under which the voucher of a typed code is stored. */
export function voucherHash(typed: string): string {
  return hash('sha256', `voucher:${voucherCode(typed)}`, 'hex')
}

/** A wish to pay by voucher. */
export interface VoucherWish {
  /** As the customer typed it. */
  readonly code: string
  readonly currency: string | null
  /** The date by the site's clock. */
  readonly today: string
  /** What is to be paid. */
  readonly due: number
}

/**
 * Returns the voucher with a code and what it pays, locked until the transaction ends, so that its balance is spent once.
 * Refuses a code that pays nothing. The caller has its other locks already.
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

/** Records in the books what a voucher pays for a reservation; the caller has claimed it. */
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

/** Returns money of a reservation to the vouchers that paid it, the last one first; at most what they paid. */
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
