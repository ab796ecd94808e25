// Sorts apart from every word of a name or an address.
const backwards = '~'
// A shorter end of a number is one of too many customers.
const shortestEnd = 4

/** The words a phone number is found by: all of its digits, the number as dialled at home, and its digits backwards. */
export async function phoneTerms(phone: string): Promise<string[]> {
  const digits = digitsOf(phone)
  return digits === '' ? [] : [...new Set([digits, await nationalDigits(phone), backwards + reversed(digits)])]
}

/**
 * The beginnings of words that a number typed into a search may have, any of which is enough: the beginning of the number,
 * with or without the country, or its end. `040 66969198` and `66969 198` find `+49 40 66969198`, and the other way round.
 */
export async function soughtPhoneTerms(text: string): Promise<string[]> {
  const digits = digitsOf(text)
  const national = await nationalDigits(text)
  const end = national.length >= shortestEnd ? [backwards + reversed(national)] : []
  return [...new Set([digits, national, ...end])].filter((word) => word !== '')
}

/** The number without country code and trunk prefix; whose country is unknown loses its leading zeros alone. */
async function nationalDigits(phone: string): Promise<string> {
  const international = phone.trim().replace(/^00/, '+')
  const withoutZeros = digitsOf(phone).replace(/^0+/, '')
  if (!international.startsWith('+')) return withoutZeros
  // Loaded by the first such number: its tables take 2 MB in each thread.
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min')
  return parsePhoneNumberFromString(international)?.nationalNumber ?? withoutZeros
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '')
}

function reversed(digits: string): string {
  return [...digits].reverse().join('')
}
