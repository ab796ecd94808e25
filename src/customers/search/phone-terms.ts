/**
 * The first character of a search term that consists of a phone number's digits in reverse order. No other search term
 * starts with this character, so reversed digits match only such terms.
 */
export const backwards = '~'
// The minimum number of last digits to search for; fewer would match too many customers.
const minSuffix = 4

/**
 * Returns the terms by which a phone number is found: all digits, the digits without country code and leading zeros
 * (see `nationalDigits`), and all digits in reverse order for searches by the number's end; none when it has no digits.
 */
export async function phoneTerms(phone: string): Promise<string[]> {
  const digits = digitsOf(phone)
  return digits === '' ? [] : [...new Set([digits, await nationalDigits(phone), backwards + reversed(digits)])]
}

/**
 * Returns alternative prefixes of search terms for typed digits. The digits may be the beginning of a phone number,
 * with or without country code, or its end. `040 66969198`, `4066` and `66969 198` match `+49 40 66969198`.
 */
export async function soughtPhoneTerms(text: string): Promise<string[]> {
  const digits = digitsOf(text)
  const national = await nationalDigits(text)
  const end = national.length >= minSuffix ? [backwards + reversed(national)] : []
  return [...new Set([digits, national, ...end])].filter((word) => word !== '')
}

/**
 * Returns the digits of a phone number without country code and trunk prefix; of a number without a valid country code,
 * all digits without leading zeros.
 */
export async function nationalDigits(phone: string): Promise<string> {
  const international = phone.trim().replace(/^00/, '+')
  const withoutZeros = digitsOf(phone).replace(/^0+/, '')
  if (!international.startsWith('+')) return withoutZeros
  // libphonenumber-js is imported on first use, because its tables take 2 MB in each thread.
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min')
  return parsePhoneNumberFromString(international)?.nationalNumber ?? withoutZeros
}

/** Returns the digits of a text, such as a phone number. */
export function digitsOf(text: string): string {
  return text.replace(/\D/g, '')
}

function reversed(digits: string): string {
  return [...digits].reverse().join('')
}
