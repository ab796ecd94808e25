import { shareOf } from '../../money.ts'
import type { ServiceSettings } from './service.ts'

/** How a customer pays: through the payment processor when booking, or at the desk. */
export type PaymentMethod = 'online' | 'on_site'

/** How a service is paid: not at all, on site, online when booking, or as the customer chooses. */
export type PaymentMode = 'none' | 'on_site' | 'online' | 'choice'

/** All modes of payment. */
export const paymentModes: readonly PaymentMode[] = ['none', 'on_site', 'online', 'choice']

/** How a service is paid. */
export interface PaymentRule {
  readonly mode: PaymentMode
  /** The part that is paid online, as a percentage or in the smallest unit; null for the whole price. */
  readonly deposit: { readonly percent: number } | { readonly amount: number } | null
  /** The tax that the price includes, in percent; null when no tax is shown. */
  readonly taxPercent: number | null
  /** What is refunded when a reservation is cancelled, the step with most notice first; empty when nothing is refunded. */
  readonly refunds: readonly RefundStep[]
}

/** A step of the rule of refunds: who cancels at least so many hours before the start gets this part back. */
export interface RefundStep {
  readonly hours: number
  readonly percent: number
}

/** Reads the payment rule of a service; what is not understood counts as absent. */
export function paymentRule({ payment }: Pick<ServiceSettings, 'payment'>): PaymentRule {
  const { mode, deposit, taxBasisPoints, refunds } = payment ?? {}
  return {
    mode: paymentModes.find((one) => one === mode) ?? 'none',
    deposit: depositOf(deposit),
    taxPercent: typeof taxBasisPoints === 'number' && isPercentage(taxBasisPoints / 100) ? taxBasisPoints / 100 : null,
    refunds: refundSteps(refunds),
  }
}

/** Returns the percentage of a payment that is refunded when its reservation is cancelled so many seconds before the start. */
export function refundPercent({ refunds }: Pick<PaymentRule, 'refunds'>, notice: number): number {
  return refunds.find(({ hours }) => notice >= hours * 3_600)?.percent ?? 0
}

/** Returns what is due online for a seat with this price, in the smallest unit; 0 when nothing is. */
export function dueOnline(rule: PaymentRule, price: number | null, method: PaymentMethod): number {
  if (price === null || method !== 'online') return 0
  if (rule.deposit === null) return price
  return 'amount' in rule.deposit
    ? Math.min(rule.deposit.amount, price)
    : shareOf(price, basisPoints(rule.deposit.percent))
}

/** Returns how a seat with this price can be paid, the usual method first; none when there is nothing to pay. */
export function paymentMethods(rule: PaymentRule, price: number | null): readonly PaymentMethod[] {
  if (price === null || price === 0 || rule.mode === 'none') return []
  if (rule.mode === 'choice') return ['online', 'on_site']
  return [rule.mode]
}

/** Converts a percentage with at most two decimals to basis points. */
function basisPoints(percent: number): number {
  return Math.round(percent * 100)
}

function refundSteps(value: unknown): readonly RefundStep[] {
  if (!Array.isArray(value)) return []
  const steps = value.flatMap((step: unknown) => {
    if (typeof step !== 'object' || step === null || !('hours' in step) || !('percent' in step)) return []
    const { hours, percent } = step
    return typeof hours === 'number' && hours >= 0 && isPercentage(percent) ? [{ hours, percent }] : []
  })
  return steps.toSorted((one, other) => other.hours - one.hours)
}

function depositOf(value: unknown): PaymentRule['deposit'] {
  if (typeof value !== 'object' || value === null) return null
  if ('percent' in value && isPercentage(value.percent)) return { percent: value.percent }
  return 'amount' in value && Number.isSafeInteger(value.amount) ? { amount: Math.max(Number(value.amount), 0) } : null
}

function isPercentage(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 100
}
