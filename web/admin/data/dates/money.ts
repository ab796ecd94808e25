import { currencyFormat, minorDigits } from '../../../../src/money.ts'
import { numberFormat } from './intl.ts'

/** Converts an amount in minor currency units to the number that users type: 4500 for EUR becomes 45. */
export function toMajorUnits(amount: number, currency: string): number {
  return amount / 10 ** minorDigits(currency)
}

/** Converts an amount that a user typed to minor currency units: 45 for EUR becomes 4500. */
export function toMinorUnits(typed: number, currency: string): number {
  return Math.round(typed * 10 ** minorDigits(currency))
}

/** Formats an amount in minor currency units: `€45.00`. */
export function formatAmount(amount: number, currency: string, locale: string): string {
  return numberFormat(locale, currencyFormat(currency)).format(toMajorUnits(amount, currency))
}
