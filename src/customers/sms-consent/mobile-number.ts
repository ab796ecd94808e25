/** Returns a phone number with a country code in E.164 form, such as `+4930901820`; undefined for any other text. */
export async function e164Of(text: string): Promise<string | undefined> {
  // libphonenumber-js is imported on first use, because its tables take 2 MB in each thread.
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min')
  const number = parsePhoneNumberFromString(text.trim().replace(/^00/, '+'))
  return number?.isPossible() ? number.number : undefined
}
