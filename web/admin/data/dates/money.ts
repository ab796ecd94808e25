/** How many digits a currency has behind the point: 2 for EUR, 0 for JPY. */
export function digitsOf(currency: string): number {
  // Half-typed codes are none.
  if (!/^[A-Z]{3}$/.test(currency)) return 2
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return format.resolvedOptions().maximumFractionDigits ?? 2
}

/** An amount of the smallest unit as people type it: 4500 of EUR is 45. */
export function typedAmount(amount: number, currency: string): number {
  return amount / 10 ** digitsOf(currency)
}

/** The smallest units of an amount as it was typed. */
export function smallestUnits(typed: number, currency: string): number {
  return Math.round(typed * 10 ** digitsOf(currency))
}

/** An amount of the smallest unit as text: `€45.00`. */
export function amountText(amount: number, currency: string, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(typedAmount(amount, currency))
}
