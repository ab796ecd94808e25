/**
 * Returns a phone number with its country code in E.164 form, such as `+4930901820`; undefined for a text that is not a
 * possible number.
 */
export async function e164Of(text: string): Promise<string | undefined> {
  // libphonenumber-js is imported on first use, because its tables take 2 MB in each thread.
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min')
  const number = parsePhoneNumberFromString(text.trim().replace(/^00/, '+'))
  return number?.isPossible() ? number.number : undefined
}
