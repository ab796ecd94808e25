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
  /** Keys that the form does not show. */
  readonly others: Readonly<Record<string, unknown>>
}

/** Converts the stored payment of a service to form values. */
export function paymentValuesOf(payment: Readonly<Record<string, unknown>> | null, currency: string): PaymentValues {
  const { mode, deposit, taxPercent } = paymentRule({ payment })
  const { mode: _, deposit: __, taxBasisPoints: ___, ...others } = payment ?? {}
  const shown = { mode, taxPercent: taxPercent ?? '', others }
  if (deposit === null) return { ...shown, depositKind: 'full', deposit: '' }
  return 'percent' in deposit
    ? { ...shown, depositKind: 'percent', deposit: deposit.percent }
    : { ...shown, depositKind: 'amount', deposit: typedAmount(deposit.amount, currency) }
}

/** Converts form values to the payment of the request body; null when nothing is set. */
export function paymentOf({ mode, depositKind, deposit, taxPercent, others }: PaymentValues, currency: string) {
  const online = mode === 'online' || mode === 'choice'
  const part =
    depositKind === 'percent' ? { percent: Number(deposit) } : { amount: smallestUnits(Number(deposit), currency) }
  const set = {
    ...others,
    ...(mode !== 'none' && { mode }),
    ...(online && depositKind !== 'full' && deposit !== '' && { deposit: part }),
    ...(taxPercent !== '' && { taxBasisPoints: Math.round(Number(taxPercent) * 100) }),
  }
  return Object.keys(set).length === 0 ? null : set
}
