import { minorDigits } from '../../../../src/money.ts'
import { numberFormat } from './intl.ts'

/** The number of fraction digits of a currency: 2 for EUR, 0 for JPY. */
export function fractionDigitsOf(currency: string): number {
  // A currency code that is only partly typed is treated as one with two fraction digits.
  return /^[A-Z]{3}$/.test(currency) ? minorDigits(currency) : 2
}

/** Converts an amount in minor currency units to the number that users type: 4500 for EUR becomes 45. */
export function toMajorUnits(amount: number, currency: string): number {
  return amount / 10 ** fractionDigitsOf(currency)
}

/** Converts an amount that a user typed to minor currency units: 45 for EUR becomes 4500. */
export function toMinorUnits(typed: number, currency: string): number {
  return Math.round(typed * 10 ** fractionDigitsOf(currency))
}

/** Formats an amount in minor currency units: `€45.00`. */
export function formatAmount(amount: number, currency: string, locale: string): string {
  return numberFormat(locale, { style: 'currency', currency }).format(toMajorUnits(amount, currency))
}
