import { currencyFormat, minorDigits } from '../../../../src/money.ts'
import { numberFormat } from './intl.ts'

/** The number of fraction digits of a currency: 2 for EUR and for a code that is only partly typed, 0 for JPY. */
export function fractionDigitsOf(currency: string): number {
  return minorDigits(currency)
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
  return numberFormat(locale, currencyFormat(currency)).format(toMajorUnits(amount, currency))
}
