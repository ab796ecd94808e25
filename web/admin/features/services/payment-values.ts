import {
  type Part,
  type PaymentMethod,
  type PaymentMode,
  paymentRule,
} from '../../../../src/catalogue/services/payment-rule.ts'
import { smallestUnits, typedAmount } from '../../data/dates/money.ts'

/** Which part of the price is paid online. */
export type DepositKind = 'full' | 'percent' | 'amount'

/** The form values of how a service is paid. */
export interface PaymentValues {
  readonly mode: PaymentMode
  /** The methods among which customers choose. */
  readonly choices: readonly PaymentMethod[]
  readonly depositKind: DepositKind
  /** A percentage, or an amount in major units of the currency. */
  readonly deposit: number | string
  /** What a missed visit costs, as a percentage or in major units. */
  readonly feeKind: Exclude<DepositKind, 'full'>
  readonly fee: number | string
  readonly taxPercent: number | string
  /** What is refunded by the notice of a cancellation. */
  readonly refunds: readonly { readonly hours: number | string; readonly percent: number | string }[]
  /** Keys that the form does not show. */
  readonly others: Readonly<Record<string, unknown>>
}

/** Converts the stored payment of a service to form values. */
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
    : { kind: 'amount', value: typedAmount(part.amount, currency) }
}

/** Whether customers may pay by a method at a service with these values. */
export function allows({ mode, choices }: Pick<PaymentValues, 'mode' | 'choices'>, method: PaymentMethod): boolean {
  return mode === method || (mode === 'choice' && choices.includes(method))
}

/** Converts form values to the payment of the request body; null when nothing is set. */
export function paymentOf(values: PaymentValues, currency: string) {
  const { mode, choices, depositKind, deposit, feeKind, fee, taxPercent, refunds, others } = values
  const online = allows(values, 'online')
  const partOf = (kind: DepositKind, value: number | string) =>
    kind === 'percent' ? { percent: Number(value) } : { amount: smallestUnits(Number(value), currency) }
  const usual = choices.length === 2 && choices.includes('online') && choices.includes('on_site')
  const steps = refunds.map(({ hours, percent }) => ({ hours: Number(hours), percent: Number(percent) }))
  const set = {
    ...others,
    ...(mode !== 'none' && { mode }),
    ...(mode === 'choice' && !usual && { choices }),
    ...(online && depositKind !== 'full' && deposit !== '' && { deposit: partOf(depositKind, deposit) }),
    ...(allows(values, 'card') && fee !== '' && { noShowFee: partOf(feeKind, fee) }),
    ...(online && steps.length > 0 && { refunds: steps }),
    ...(taxPercent !== '' && { taxBasisPoints: Math.round(Number(taxPercent) * 100) }),
  }
  return Object.keys(set).length === 0 ? null : set
}
