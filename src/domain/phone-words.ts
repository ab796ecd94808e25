import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

// Sorts apart from every word of a name or an address.
const backwards = '~'
// A shorter end of a number is one of too many customers.
const shortestEnd = 4

/** The words a phone number is found by: all of its digits, the number as dialled at home, and its digits backwards. */
export function phoneWords(phone: string): string[] {
  const digits = digitsOf(phone)
  return digits === '' ? [] : [...new Set([digits, nationalDigits(phone), backwards + reversed(digits)])]
}

/**
 * The beginnings of words that a number typed into a search may have, any of which is enough: the beginning of the number,
 * with or without the country, or its end. `040 66969198` and `66969 198` find `+49 40 66969198`, and the other way round.
 */
export function phoneWordsSought(text: string): string[] {
  const digits = digitsOf(text)
  const national = nationalDigits(text)
  const end = national.length >= shortestEnd ? [backwards + reversed(national)] : []
  return [...new Set([digits, national, ...end])].filter((word) => word !== '')
}

/** The number without country code and trunk prefix; whose country is unknown loses its leading zeros alone. */
function nationalDigits(phone: string): string {
  const international = phone.trim().replace(/^00/, '+')
  const parsed = international.startsWith('+') ? parsePhoneNumberFromString(international) : undefined
  return parsed?.nationalNumber ?? digitsOf(phone).replace(/^0+/, '')
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '')
}

function reversed(digits: string): string {
  return [...digits].reverse().join('')
}
