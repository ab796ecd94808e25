/** An amount of money in the smallest unit of its currency, such as cents. */
export interface Money {
  readonly amount: number
  /** The currency of the amount as an ISO 4217 code, such as `EUR`. */
  readonly currency: string
}

// One hundred percent in basis points, the unit of shares and tax rates.
const whole = 10_000

// The currencies that do not have two decimals, by CLDR 48. This is a constant because engines disagree (HUF has no
// decimals in CLDR 48, two in CLDR 45 and ISO 4217): the number of decimals says what a stored amount is worth, so it
// must be the same in every browser and survive updates of the runtime. Never change the decimals of a currency.
const otherThanTwo = {
  0: `ADP AFN ALL BIF BYR CLP COP DJF ESP GNF HUF IDR IQD IRR ISK ITL JPY KMF KPW KRW LAK LBP LUF MGA MGF MMK MRO PKR
    PYG RWF SLL SOS STD SYP TMM TRL UGX UYI VND VUV XAF XOF XPF YER ZMK ZWD`,
  3: 'BHD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}

const digitsOf: ReadonlyMap<string, number> = new Map(
  Object.entries(otherThanTwo).flatMap(([digits, codes]) =>
    codes.split(/\s+/).map((code) => [code, Number(digits)] as const),
  ),
)

/**
 * Returns the number of decimals of a currency: 0 for JPY and HUF, 2 for EUR, 3 for KWD; the same in every runtime.
 * Returns 2 for any other code, such as one that is only partly typed.
 */
export function minorDigits(currency: string): number {
  return digitsOf.get(currency) ?? 2
}

/** Returns the options with which `Intl.NumberFormat` shows amounts of a currency, with as many decimals as it has. */
export function currencyFormat(currency: string): Intl.NumberFormatOptions {
  const digits = minorDigits(currency)
  return { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits }
}

/** Whether a code is that of a currency, present or former, in the CLDR data of this process. */
export function isKnownCurrency(code: string): boolean {
  return Intl.supportedValuesOf('currency').includes(code)
}

/** Returns the price of a record as an amount of money; null without a price. */
export function moneyOf(of: { readonly price: number | null; readonly currency: string | null }): Money | null {
  return of.price === null || of.currency === null ? null : { amount: of.price, currency: of.currency }
}

/**
 * Returns the share `basisPoints / 10,000` of an amount, rounded half up to a multiple of `step`; exact for every safe
 * integer.
 */
export function shareOf(amount: number, basisPoints: number, step = 1): number {
  return step * divided(BigInt(amount) * BigInt(basisPoints), BigInt(whole) * BigInt(step))
}

/** Returns the tax that an amount includes at a rate in basis points, rounded half up. */
export function includedTax(amount: number, rate: number): number {
  return divided(BigInt(amount) * BigInt(rate), BigInt(whole + rate))
}

/**
 * Distributes an amount in proportion to weights, such that the parts sum to it exactly: the remainder of rounding is
 * added, one unit each, to the first parts whose weight is not 0. When all weights are 0, the first part gets the whole
 * amount.
 */
export function distribute(amount: number, weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  if (total === 0) return weights.map((_, index) => (index === 0 ? amount : 0))
  const parts = weights.map((weight) => Number((BigInt(amount) * BigInt(weight)) / BigInt(total)))
  let left = amount - parts.reduce((sum, part) => sum + part, 0)
  return parts.map((part, index) => {
    if (left === 0 || weights[index] === 0) return part
    left -= 1
    return part + 1
  })
}

/** Returns an amount as a decimal number, such as `12.50`, or `1250` if the currency has no decimals. */
export function decimalText({ amount, currency }: Money): string {
  const digits = minorDigits(currency)
  const text = String(Math.abs(amount)).padStart(digits + 1, '0')
  const sign = amount < 0 ? '-' : ''
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/**
 * Parses a decimal number such as `12.50` or `12.5` and returns an amount in the smallest unit of the currency;
 * undefined for other text, for too many decimals and for too large a number.
 */
export function parseDecimal(text: string, currency: string): number | undefined {
  const digits = minorDigits(currency)
  const match = /^(-?)(\d{1,15})(?:\.(\d{1,4}))?$/.exec(text)
  if (!match) return undefined
  const [, sign = '', units = '', fraction = ''] = match
  if (fraction.length > digits) return undefined
  const amount = Number(units + fraction.padEnd(digits, '0'))
  if (!Number.isSafeInteger(amount)) return undefined
  return sign === '-' && amount !== 0 ? -amount : amount
}

/** Divides non-negative integers, rounding half up. */
function divided(value: bigint, by: bigint): number {
  return Number((2n * value + by) / (2n * by))
}
