import type { Money } from '../../money.ts'
import { chargeableFloor, chargeableShare } from '../../payments/chargeable.ts'
import type { ServiceSettings } from './service.ts'

/**
 * A way to pay: through the payment processor when booking (`online`); at the desk after saving a card, to which a fee
 * for a missed visit is charged (`card`); or at the desk without saving a card (`on_site`).
 */
export type PaymentMethod = 'online' | 'card' | 'on_site'

/** All methods of payment, in the order in which customers see them. */
export const allPaymentMethods: readonly PaymentMethod[] = ['online', 'card', 'on_site']

/** The ways to pay for a service: none, one method, or a choice by the customer. */
export type PaymentMode = 'none' | PaymentMethod | 'choice'

/** All values of `PaymentMode`. */
export const paymentModes: readonly PaymentMode[] = ['none', 'on_site', 'online', 'card', 'choice']

/** How a service is paid for: the methods, the deposit, the fee for a missed visit, the tax and the refunds. */
export interface PaymentRule {
  readonly mode: PaymentMode
  /** The methods among which the customer chooses when `mode` is `choice`. */
  readonly choices: readonly PaymentMethod[]
  /** The part of the price that is paid online, as a percentage or in minor currency units; null for all of it. */
  readonly deposit: Part | null
  /**
   * The fee for a missed visit when a card was saved, as a percentage of the price or in minor currency units; null for
   * none.
   */
  readonly noShowFee: Part | null
  /** The tax that the price includes, in percent; null when no tax is shown. */
  readonly taxPercent: number | null
  /** The steps of the refund after a cancellation, the one with the longest notice first; empty for no refunds. */
  readonly refunds: readonly RefundStep[]
}

/** A part of a price: a percentage, or an amount in minor currency units. */
export type Part = { readonly percent: number } | { readonly amount: number }

const usualChoices: readonly PaymentMethod[] = ['online', 'on_site']

/**
 * A cancellation `hours` or more before the start refunds `percent` of the payment, unless a step with more hours
 * applies.
 */
export interface RefundStep {
  readonly hours: number
  readonly percent: number
}

/** Parses the payment rule of a service; values that cannot be parsed count as absent. */
export function paymentRule({ payment }: Pick<ServiceSettings, 'payment'>): PaymentRule {
  const { mode, choices, deposit, noShowFee, taxBasisPoints, refunds } = payment ?? {}
  const chosen = Array.isArray(choices) ? allPaymentMethods.filter((one) => choices.includes(one)) : []
  return {
    mode: paymentModes.find((one) => one === mode) ?? 'none',
    choices: chosen.length > 0 ? chosen : usualChoices,
    deposit: partOf(deposit),
    noShowFee: partOf(noShowFee),
    taxPercent: typeof taxBasisPoints === 'number' && isPercentage(taxBasisPoints / 100) ? taxBasisPoints / 100 : null,
    refunds: refundSteps(refunds),
  }
}

/**
 * Returns the percentage of a payment that is refunded when its reservation is cancelled `notice` seconds before the
 * start.
 */
export function refundPercent({ refunds }: Pick<PaymentRule, 'refunds'>, notice: number): number {
  return refunds.find(({ hours }) => notice >= hours * 3_600)?.percent ?? 0
}

/**
 * Returns the amount that is due online for a seat with the given price, in minor currency units; 0 without a price or
 * for a method other than `online`. A deposit is rounded to an amount that the payment processor can charge.
 */
export function dueOnline(rule: PaymentRule, price: Money | null, method: PaymentMethod): number {
  if (price === null || method !== 'online') return 0
  if (rule.deposit === null) return price.amount
  if ('percent' in rule.deposit) return chargeableShare(price, basisPoints(rule.deposit.percent))
  const { amount } = rule.deposit
  return amount >= price.amount ? price.amount : chargeableFloor({ ...price, amount })
}

/**
 * Returns the fee for a missed visit with the given price, in minor currency units, rounded to an amount that the
 * payment processor can charge. A fixed fee may exceed the price.
 */
export function noShowFeeOf({ noShowFee }: Pick<PaymentRule, 'noShowFee'>, price: Money): number {
  if (noShowFee === null) return 0
  if ('percent' in noShowFee) return chargeableShare(price, basisPoints(noShowFee.percent))
  return chargeableFloor({ ...price, amount: noShowFee.amount })
}

/** Returns the methods by which a seat with the given price can be paid, the default one first; empty for none. */
export function paymentMethods(rule: PaymentRule, price: Money | null): readonly PaymentMethod[] {
  if (price === null || rule.mode === 'none') return []
  const wanted = rule.mode === 'choice' ? rule.choices : [rule.mode]
  const methods = wanted.filter((method) => (method === 'card' ? noShowFeeOf(rule, price) > 0 : price.amount > 0))
  // The method `card` is offered only with a fee for a missed visit. If no method remains, a price above 0 is paid at
  // the desk.
  return methods.length === 0 && price.amount > 0 ? ['on_site'] : methods
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

function partOf(value: unknown): Part | null {
  if (typeof value !== 'object' || value === null) return null
  if ('percent' in value && isPercentage(value.percent)) return { percent: value.percent }
  return 'amount' in value && Number.isSafeInteger(value.amount) ? { amount: Math.max(Number(value.amount), 0) } : null
}

function isPercentage(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 100
}
