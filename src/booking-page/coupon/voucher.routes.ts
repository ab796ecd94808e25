import { voucherHash } from '../../payments/vouchers/redemption.operations.ts'
import { redeemable, type VoucherDue } from '../../payments/vouchers/voucher.ts'
import { findVoucherOf, hasVouchers } from '../../payments/vouchers/vouchers.sql.ts'
import { dateAt } from '../../scheduling/time/zone.ts'
import type { PageRequest } from '../page-context.routes.ts'
import type { VoucherOffer } from '../views/payment.ts'

/**
 * Returns the voucher code that a visitor entered for a booking, with the amount that the voucher pays. Every code that
 * pays nothing gets the same message, and attempts count towards the same rate limit as those of coupon codes.
 */
export async function voucherOf(
  { sources, sent, request, catalogue, now }: PageRequest,
  { due, online, currency }: Pick<VoucherDue, 'due' | 'online' | 'currency'>,
): Promise<VoucherOffer> {
  const { db } = sources.app
  const none = { code: '', amount: 0 }
  const today = dateAt(catalogue.site.timezone, now)
  if (due === 0 || !(await hasVouchers(db, today))) return { ...none, asks: false }
  const code = (sent.get('voucher') ?? '').trim().slice(0, 60)
  if (code === '') return { ...none, asks: true }
  if (!sources.limits.coupon(request.ip, now)) return { ...none, asks: true, fault: 'tooMany' }
  const voucher = await findVoucherOf(db, voucherHash(code))
  const amount = voucher ? redeemable(voucher, { today, currency, due, online }) : 0
  return amount > 0 ? { asks: true, code, amount } : { ...none, asks: true, fault: 'voucherInvalid' }
}
