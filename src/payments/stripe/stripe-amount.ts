import { minorDigits } from '../../money.ts'
import { ProcessorError } from '../processor.ts'

// https://docs.stripe.com/currencies: the currencies that Stripe counts without decimals, and those with three. Stripe
// counts ISK and UGX with two decimals although they have none. In currencies with three decimals, the last digit of an
// amount must be 0.
const withoutDecimals = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '))
const withThree = new Set('BHD JOD KWD OMR TND'.split(' '))

/**
 * Converts an amount in the smallest unit of a currency to Stripe's unit; undefined when Stripe cannot charge it
 * exactly.
 */
export function toStripe(amount: number, currency: string): number | undefined {
  const converted = scaled(amount, stripeDigits(currency) - minorDigits(currency))
  if (converted === undefined || (withThree.has(currency) && converted % 10 !== 0)) return undefined
  return (currency === 'ISK' || currency === 'UGX') && converted % 100 !== 0 ? undefined : converted
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

function scaled(amount: number, digits: number): number | undefined {
  if (digits >= 0) return amount * 10 ** digits
  const by = 10 ** -digits
  return amount % by === 0 ? amount / by : undefined
}
