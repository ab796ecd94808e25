import { minorDigits } from '../../../../src/money.ts'

/** The number of fraction digits of a currency: 2 for EUR, 0 for JPY. */
export function digitsOf(currency: string): number {
  // A currency code that is only partially typed counts as one with two fraction digits.
  return /^[A-Z]{3}$/.test(currency) ? minorDigits(currency) : 2
}

/** Converts an amount in the smallest unit to the number that users type: 4500 of EUR is 45. */
export function typedAmount(amount: number, currency: string): number {
  return amount / 10 ** digitsOf(currency)
}

/** Converts a typed amount to the smallest unit. */
export function smallestUnits(typed: number, currency: string): number {
  return Math.round(typed * 10 ** digitsOf(currency))
}

/** Formats an amount in the smallest unit: `€45.00`. */
export function amountText(amount: number, currency: string, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(typedAmount(amount, currency))
}
