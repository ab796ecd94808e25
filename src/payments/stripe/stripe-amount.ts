import { minorDigits } from '../../money.ts'
import { ProcessorError } from '../processor.ts'

// https://docs.stripe.com/currencies: the currencies that Stripe counts without decimals, and those with three. Stripe
// counts ISK and UGX with two decimals although they have none. In currencies with three decimals, the last digit of an
// amount must be 0.
const withoutDecimals = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '))
const withThree = new Set('BHD JOD KWD OMR TND'.split(' '))

/** Returns the step of a currency, in its smallest unit: Stripe charges and refunds multiples of the step only. */
export function chargeStep(currency: string): number {
  if (withThree.has(currency)) return 10
  const charged = currency === 'ISK' || currency === 'UGX' ? 0 : stripeDigits(currency)
  return 10 ** Math.max(0, minorDigits(currency) - charged)
}

/**
 * Converts an amount in the smallest unit of a currency to Stripe's unit; undefined when Stripe cannot charge it
 * exactly.
 */
export function toStripe(amount: number, currency: string): number | undefined {
  if (amount % chargeStep(currency) !== 0) return undefined
  const digits = stripeDigits(currency) - minorDigits(currency)
  return digits >= 0 ? amount * 10 ** digits : amount / 10 ** -digits
}

/**
 * Converts an amount in the smallest unit of a currency to Stripe's unit; throws when Stripe cannot charge it exactly.
 */
export function exactAmount(amount: number, currency: string): number {
  const converted = toStripe(amount, currency)
  if (converted === undefined) throw new ProcessorError('refused', `Stripe cannot charge this amount of ${currency}.`)
  return converted
}

/** Converts an amount in Stripe's unit to the smallest unit of the currency, rounded to the nearest integer. */
export function fromStripe(amount: number, currency: string): number {
  const by = 10 ** Math.abs(stripeDigits(currency) - minorDigits(currency))
  return stripeDigits(currency) < minorDigits(currency) ? amount * by : Math.round(amount / by)
}

function stripeDigits(currency: string): number {
  if (withoutDecimals.has(currency)) return 0
  return withThree.has(currency) ? 3 : 2
}
