import type { PaymentMode } from '../../../../src/catalogue/services/payment-rule.ts'
import { paymentRule } from '../../../../src/catalogue/services/payment-rule.ts'
import { smallestUnits, typedAmount } from '../../data/dates/money.ts'

/** Which part of the price is paid online. */
export type DepositKind = 'full' | 'percent' | 'amount'

/** The form values of how a service is paid. */
export interface PaymentValues {
  readonly mode: PaymentMode
  readonly depositKind: DepositKind
  /** A percentage, or an amount in major units of the currency. */
  readonly deposit: number | string
  readonly taxPercent: number | string
  /** What is refunded by the notice of a cancellation. */
  readonly refunds: readonly { readonly hours: number | string; readonly percent: number | string }[]
  /** Keys that the form does not show. */
  readonly others: Readonly<Record<string, unknown>>
}

/** Converts the stored payment of a service to form values. */
export function paymentValuesOf(payment: Readonly<Record<string, unknown>> | null, currency: string): PaymentValues {
  const { mode, deposit, taxPercent, refunds } = paymentRule({ payment })
  const { mode: _, deposit: __, taxBasisPoints: ___, refunds: ____, ...others } = payment ?? {}
  const shown = { mode, taxPercent: taxPercent ?? '', refunds, others }
  if (deposit === null) return { ...shown, depositKind: 'full', deposit: '' }
  return 'percent' in deposit
    ? { ...shown, depositKind: 'percent', deposit: deposit.percent }
    : { ...shown, depositKind: 'amount', deposit: typedAmount(deposit.amount, currency) }
}

/** Converts form values to the payment of the request body; null when nothing is set. */
export function paymentOf(
  { mode, depositKind, deposit, taxPercent, refunds, others }: PaymentValues,
  currency: string,
) {
  const online = mode === 'online' || mode === 'choice'
  const part =
    depositKind === 'percent' ? { percent: Number(deposit) } : { amount: smallestUnits(Number(deposit), currency) }
  const steps = refunds.map(({ hours, percent }) => ({ hours: Number(hours), percent: Number(percent) }))
  const set = {
    ...others,
    ...(mode !== 'none' && { mode }),
    ...(online && depositKind !== 'full' && deposit !== '' && { deposit: part }),
    ...(online && steps.length > 0 && { refunds: steps }),
    ...(taxPercent !== '' && { taxBasisPoints: Math.round(Number(taxPercent) * 100) }),
  }
  return Object.keys(set).length === 0 ? null : set
}
