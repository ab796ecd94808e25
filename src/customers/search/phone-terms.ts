// No term of a name or an e-mail address starts with this character, so reversed digits match only reversed digits.
const backwards = '~'
// A shorter suffix would match too many customers.
const minSuffix = 4

/**
 * Returns the search terms of a phone number: all digits, the national number, and the digits reversed for searches by
 * its end.
 */
export async function phoneTerms(phone: string): Promise<string[]> {
  const digits = digitsOf(phone)
  return digits === '' ? [] : [...new Set([digits, await nationalDigits(phone), backwards + reversed(digits)])]
}

/**
 * Returns the alternative term prefixes for typed digits: the beginning of a phone number, with or without country
 * code, or its end. `040 66969198` and `66969 198` match `+49 40 66969198`, and vice versa.
 */
export async function soughtPhoneTerms(text: string): Promise<string[]> {
  const digits = digitsOf(text)
  const national = await nationalDigits(text)
  const end = national.length >= minSuffix ? [backwards + reversed(national)] : []
  return [...new Set([digits, national, ...end])].filter((word) => word !== '')
}

/**
 * Returns the digits of a phone number without country code and trunk prefix; for a number without country code, all digits
 * without leading zeros.
 */
export async function nationalDigits(phone: string): Promise<string> {
  const international = phone.trim().replace(/^00/, '+')
  const withoutZeros = digitsOf(phone).replace(/^0+/, '')
  if (!international.startsWith('+')) return withoutZeros
  // The library is imported on first use, because its tables take 2 MB in each thread.
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
