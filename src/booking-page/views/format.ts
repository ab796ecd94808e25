import { currencyFormat, minorDigits } from '../../money.ts'
import type { BookableTime } from '../calendar.ts'
import type { Visit } from '../visit.ts'
import type { Words } from '../words/en.ts'
import { fill } from '../words/words.ts'

/** Formats dates, times and amounts for one language and time zone. Instants are Unix seconds. */
export interface Formats {
  /** A date such as `Tuesday, 24 November 2026`. */
  date(at: number): string
  /** A date without the year, such as `Tue, Nov 24` in American English. */
  shortDate(at: number): string
  time(at: number): string
  /** The month that contains an instant, such as `November 2026`. */
  month(at: number): string
  /** The short names of the days of the week, Monday first. */
  readonly weekdays: readonly string[]
  /** The name of the visitor's time zone at an instant, such as `Central European Standard Time`. */
  zone(at: number): string
  price(amount: number, currency: string): string
  /** A number with the digits and the decimal separator of the language, without separators of thousands. */
  number(value: number): string
}

const maxCached = 200
const cached = new Map<string, Formats>()

/** Returns the formats for a visitor's language and time zone, from a cache. */
export function formatsFor({ tag, zone }: Pick<Visit, 'tag' | 'zone'>): Formats {
  const key = `${tag} ${zone}`
  const known = cached.get(key)
  if (known) return known
  const made = createFormats(tag, zone)
  if (cached.size >= maxCached) cached.clear()
  cached.set(key, made)
  return made
}

// 1970-01-05, a Monday, in Unix seconds.
const monday = 4 * 86_400

function createFormats(tag: string, timeZone: string): Formats {
  const format = (options: Intl.DateTimeFormatOptions) => {
    const made = new Intl.DateTimeFormat(tag, { timeZone, ...options })
    return (at: number) => made.format(at * 1000)
  }
  const weekday = new Intl.DateTimeFormat(tag, { weekday: 'short', timeZone: 'UTC' })
  const zoneName = new Intl.DateTimeFormat(tag, { timeZone, timeZoneName: 'long' })
  const numbers = new Intl.NumberFormat(tag, { useGrouping: false })
  const amounts = new Map<string, Intl.NumberFormat>()
  return {
    date: format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
    shortDate: format({ weekday: 'short', day: 'numeric', month: 'short' }),
    time: format({ timeStyle: 'short' }),
    month: format({ month: 'long', year: 'numeric' }),
    weekdays: Array.from({ length: 7 }, (_, day) => weekday.format((monday + day * 86_400) * 1000)),
    zone: (at) => zoneName.formatToParts(at * 1000).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone,
    number: (value) => numbers.format(value),
    price(amount, currency) {
      const known = amounts.get(currency) ?? new Intl.NumberFormat(tag, currencyFormat(currency))
      amounts.set(currency, known)
      return known.format(amount / 10 ** minorDigits(currency))
    },
  }
}

/** Returns a duration in words, such as `1 h 30 min`; `seconds` is rounded to minutes. */
export function durationText(words: Words, seconds: number): string {
  const minutes = Math.round(seconds / 60)
  const hours = Math.floor(minutes / 60)
  const parts = [
    ...(hours > 0 ? [fill(words.hours, { count: hours })] : []),
    ...(minutes % 60 > 0 || hours === 0 ? [fill(words.minutes, { count: minutes % 60 })] : []),
  ]
  return parts.join(' ')
}

/** Returns the price of `times` seats as a text: for a price of 0, the word for "free"; empty when no price is set. */
export function priceText(
  { price, currency }: Pick<BookableTime, 'price' | 'currency'>,
  words: Words,
  formats: Formats,
  times = 1,
): string {
  if (price === null || currency === null) return ''
  return price === 0 ? words.free : formats.price(price * times, currency)
}
