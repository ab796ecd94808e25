import {
  type Part,
  type PaymentMethod,
  type PaymentMode,
  paymentRule,
} from '../../../../src/catalogue/services/payment-rule.ts'
import { toMajorUnits, toMinorUnits } from '../../data/dates/money.ts'

/** How much of the price is due online when booking: all of it, a percentage, or a fixed amount. */
export type DepositKind = 'full' | 'percent' | 'amount'

/** The form values of the payment rule of a service; empty strings stand for unset numbers. */
export interface PaymentValues {
  readonly mode: PaymentMode
  /** The payment methods among which customers choose if the mode is `choice`. */
  readonly choices: readonly PaymentMethod[]
  readonly depositKind: DepositKind
  /** The deposit: a percentage, or an amount in major units of the currency, depending on `depositKind`. */
  readonly deposit: number | string
  /** Whether the no-show fee is a percentage of the price or an amount in major units of the currency. */
  readonly feeKind: Exclude<DepositKind, 'full'>
  readonly fee: number | string
  readonly taxPercent: number | string
  /**
   * The steps of the refund rule: a cancellation at least `hours` hours before the start refunds `percent` percent of
   * the payment. Of several steps that apply, the one with the most hours counts.
   */
  readonly refunds: readonly { readonly hours: number | string; readonly percent: number | string }[]
  /** The stored properties of the payment rule that the form does not show; saving leaves them unchanged. */
  readonly others: Readonly<Record<string, unknown>>
}

/** Converts the stored payment rule of a service to form values; null stands for no rule. */
export function paymentValuesOf(payment: Readonly<Record<string, unknown>> | null, currency: string): PaymentValues {
  const { mode, choices, deposit, noShowFee, taxPercent, refunds } = paymentRule({ payment })
  const known = ['mode', 'choices', 'deposit', 'noShowFee', 'taxBasisPoints', 'refunds']
  const others = Object.fromEntries(Object.entries(payment ?? {}).filter(([key]) => !known.includes(key)))
  const fee = typedPart(noShowFee, currency)
  return {
    ...{ mode, choices, taxPercent: taxPercent ?? '', refunds, others, feeKind: fee.kind, fee: fee.value },
    depositKind: deposit === null ? 'full' : typedPart(deposit, currency).kind,
    deposit: typedPart(deposit, currency).value,
  }
}

function typedPart(part: Part | null, currency: string): { kind: 'percent' | 'amount'; value: number | string } {
  if (part === null) return { kind: 'amount', value: '' }
  return 'percent' in part
    ? { kind: 'percent', value: part.percent }
    : { kind: 'amount', value: toMajorUnits(part.amount, currency) }
}

/** Whether a payment method is available to customers of a service with these form values. */
export function allowsMethod(
  { mode, choices }: Pick<PaymentValues, 'mode' | 'choices'>,
  method: PaymentMethod,
): boolean {
  return mode === method || (mode === 'choice' && choices.includes(method))
}

/**
 * Converts form values to the payment rule in the request body; null when nothing is set. Settings that do not apply to
 * the payment methods, such as a deposit without online payment, are omitted. The steps of the refund rule apply to
 * every method, since a voucher can pay by any of them, and to reservations that were paid before the method changed.
 */
export function paymentOf(values: PaymentValues, currency: string) {
  const { mode, choices, depositKind, deposit, feeKind, fee, taxPercent, refunds, others } = values
  const online = allowsMethod(values, 'online')
  const partOf = (kind: DepositKind, value: number | string) =>
    kind === 'percent' ? { percent: Number(value) } : { amount: toMinorUnits(Number(value), currency) }
  const usual = choices.length === 2 && choices.includes('online') && choices.includes('on_site')
  const steps = refunds.map(({ hours, percent }) => ({ hours: Number(hours), percent: Number(percent) }))
  const set = {
    ...others,
    ...(mode !== 'none' && { mode }),
    ...(mode === 'choice' && !usual && { choices }),
    ...(online && depositKind !== 'full' && deposit !== '' && { deposit: partOf(depositKind, deposit) }),
    ...(allowsMethod(values, 'card') && fee !== '' && { noShowFee: partOf(feeKind, fee) }),
    ...(steps.length > 0 && { refunds: steps }),
    ...(taxPercent !== '' && { taxBasisPoints: Math.round(Number(taxPercent) * 100) }),
  }
  return Object.keys(set).length === 0 ? null : set
}
