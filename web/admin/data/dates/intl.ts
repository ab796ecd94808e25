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

// The texts of minutes of the day: a calendar shows hundreds of them, again and again.
const minuteTexts = new Map<string, string>()

/** Formats minutes since midnight as `16:30`, or as `4:30 PM` in a locale with a 12-hour clock. */
export function timeOfDay(minute: number, locale: string): string {
  const whole = Math.floor(minute)
  return cached(minuteTexts, locale, { whole }, () =>
    dateFormat(locale, { timeStyle: 'short', timeZone: 'UTC' }).format(whole * 60_000),
  )
}

/**
 * Formats minutes since midnight like `timeOfDay`, but a full hour as `4 PM` in a locale with a 12-hour clock, for
 * places without room.
 */
export function briefTimeOfDay(minute: number, locale: string): string {
  const whole = Math.floor(minute)
  if (whole % 60 !== 0) return timeOfDay(whole, locale)
  return cached(minuteTexts, locale, { whole, brief: true }, () => {
    const hour = dateFormat(locale, { hour: 'numeric', timeZone: 'UTC' })
    return hour.resolvedOptions().hour12 === true ? hour.format(whole * 60_000) : timeOfDay(whole, locale)
  })
}

function cached<T>(formats: Map<string, T>, locale: string, options: object, make: () => T): T {
  const key = `${locale} ${JSON.stringify(options)}`
  const found = formats.get(key)
  if (found !== undefined) return found
  const made = make()
  formats.set(key, made)
  return made
}
