// Caches of formatters. Constructing a formatter takes about 50 µs, too long for a table that formats many cells.
const dateFormats = new Map<string, Intl.DateTimeFormat>()
const numberFormats = new Map<string, Intl.NumberFormat>()

/** Returns the date formatter of a locale with these options, which is constructed only once. */
export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return cached(dateFormats, locale, options, () => new Intl.DateTimeFormat(locale, options))
}

/** Returns the number formatter of a locale with these options, which is constructed only once. */
export function numberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return cached(numberFormats, locale, options, () => new Intl.NumberFormat(locale, options))
}

function cached<T>(formats: Map<string, T>, locale: string, options: object, make: () => T): T {
  const key = `${locale} ${JSON.stringify(options)}`
  const found = formats.get(key)
  if (found !== undefined) return found
  const made = make()
  formats.set(key, made)
  return made
}
