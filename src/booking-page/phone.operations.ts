import type { Country } from './views/form.ts'

/**
 * Returns a phone number in international form; undefined when it is not a possible number. A number without a country
 * calling code is read as one of `country` (a two-letter ISO 3166 code); the result is undefined when `country` is
 * empty or unknown.
 */
export async function readPhone(text: string, country: string): Promise<string | undefined> {
  const { isSupportedCountry, parsePhoneNumberFromString } = await library()
  const number = isSupportedCountry(country)
    ? parsePhoneNumberFromString(text, country)
    : parsePhoneNumberFromString(text)
  return number?.isPossible() ? number.formatInternational() : undefined
}

let countries: readonly Country[] | undefined

/** Returns the countries that customers can choose for a phone number, with their calling codes. */
export async function listCountries(): Promise<readonly Country[]> {
  const { getCountries, getCountryCallingCode } = await library()
  countries ??= getCountries()
    .filter((code) => /^[A-Z]{2}$/.test(code))
    .map((code) => ({ code, calling: getCountryCallingCode(code) }))
  return countries
}

// libphonenumber-js is imported on first use, because its tables take 2 MB in each thread.
function library() {
  return import('libphonenumber-js/min')
}
