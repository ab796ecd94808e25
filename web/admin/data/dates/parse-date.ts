import { normaliseText } from '../normalise-text.ts'
import { dateFormat } from './intl.ts'

/** How typed dates are parsed: the locale, the current date, and the year that a date without a year gets. */
export interface DateParsing {
  readonly locale: string
  /** The current date, `YYYY-MM-DD`. */
  readonly today: string
  /**
   * The year of a date typed without a year. `upcoming`: such that the date is today or later, for bookings.
   * `nearest`: such that it is closest to today, for look-ups. `past`: such that it is today or earlier, for birthdays;
   * with `past`, a two-digit year becomes the latest matching year that is not after the current year.
   */
  readonly missingYear: 'upcoming' | 'nearest' | 'past'
}

/**
 * A parsed date; `complete` when the text contains a four-digit year. An incomplete text, such as `5.1` on the way to
 * `5.12.`, often becomes another date while the user types on.
 */
export interface ParsedDate {
  /** The date as `YYYY-MM-DD`. */
  readonly date: string
  readonly complete: boolean
}

type Part = 'year' | 'month' | 'day'

/**
 * Parses a date in the notations that are common in a locale. ISO dates are valid in every locale. Returns undefined
 * for text that is invalid or ambiguous.
 */
export function parseDate(text: string, reading: DateParsing): ParsedDate | undefined {
  const typed = text.normalize('NFKC').trim()
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(typed)
  if (iso) return complete(dateOf(Number(iso[1]), Number(iso[2]), Number(iso[3])))
  const relative = relativeDates(reading).get(normaliseText(typed))
  if (relative !== undefined) return { date: relative, complete: false }
  if (/^\d{8}$/.test(typed)) return parseEightDigits(typed, reading)
  if (/\p{L}/u.test(typed)) return parseMonthNameDate(typed, reading)
  return parseNumericDate(typed, reading)
}

/** Formats a date (`YYYY-MM-DD`) in the numeric notation of the locale. */
export function formatNumericDate(date: string, locale: string): string {
  return numericFormat(locale).format(Date.parse(`${date}T00:00:00Z`))
}

/**
 * Parses a time (`9`, `930`, `9:30`, `9.30`, `5 pm`, `17h`, `17 Uhr`) to `HH:MM`, at most `24:00`; undefined for other
 * text.
 */
export function parseTime(text: string): string | undefined {
  const typed = text.normalize('NFKC').trim()
  const form = /^(\d{1,2})(?:[:.h]?([0-5]\d)|h)?(?:\s*([ap])?\.?\s?(?:m\.?)?|\s*uhr)$/i.exec(typed)
  if (!form) return undefined
  const [, hour = '', minute = '00', half] = form
  const hourTyped = Number(hour)
  if (half !== undefined && (hourTyped < 1 || hourTyped > 12)) return undefined
  const hours = half === undefined ? hourTyped : (hourTyped % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  if (hours > 24 || (hours === 24 && minute !== '00')) return undefined
  return `${String(hours).padStart(2, '0')}:${minute}`
}

/**
 * Splits `05.12.2026, 14:30` into date and time without validating them; undefined for other text, such as a date
 * without a time. The time is the shortest ending that has the form of a time and follows a comma, white space or `T`.
 */
export function splitDateTime(text: string, reading: DateParsing): readonly [date: string, time: string] | undefined {
  const typed = text.normalize('NFKC').trim()
  const whole = parseDate(typed, reading)
  // A text that parses as a date in the years 2000 to 2099, such as `5 Dec 2027`, has no time. In `5.12. 1430`, the
  // last part is a time.
  if (whole?.complete && whole.date >= '2000' && whole.date < '2100') return undefined
  const found =
    /^(.*\d)T(\d\d:\d\d)$/.exec(typed) ??
    /^(.*\S?)[,\s]\s*(\d{1,2}(?:\s*[:.h]\s*\d\d|\s*h)?\s*(?:[ap]\.?\s?m?\.?|uhr)?|\d{3,4})$/i.exec(typed)
  const [, date, time] = found ?? []
  return date === undefined || time === undefined ? undefined : [date.replace(/[,\s]+$/, ''), time]
}

function parseNumericDate(typed: string, reading: DateParsing): ParsedDate | undefined {
  // A numeric date has one kind of separator and may end in a dot: `5.12.`
  const found = /^(\d{1,4})(\s*[./\-\s]\s*)(\d{1,2})(?:\s*([./\-\s])\s*(\d{1,4}))?\.?$/.exec(typed)
  if (!found) return undefined
  const [, first = '', between = '', second = '', next, third] = found
  const separator = between.trim() || ' '
  if (next !== undefined && (next.trim() || ' ') !== separator) return undefined
  const order = partsOf(numericFormat(reading.locale))
  const short = shortOrder(reading.locale)
  const dayFirst = short[0] === 'day'
  // In locales that do not put the day first, both orders of day and month occur in dates with dots. A date with dots
  // that does not begin with the year is accepted only when it has the same meaning in both orders, or is valid in only
  // one.
  const settled = separator !== '.' || dayFirst || Number(first) > 12 || Number(second) > 12 || first === second
  if (third === undefined) {
    if (first.length > 2 || !settled) return undefined
    if (separator === '.' && !dayFirst) return addMissingYear(Number(first), Number(second), reading)
    const [day, month] = dayFirst ? [first, second] : [second, first]
    return addMissingYear(Number(day), Number(month), reading)
  }
  if (first.length === 4) return complete(dateOf(Number(first), Number(second), Number(third)))
  if (first.length === 3 || third.length === 1 || third.length === 3) return undefined
  if (order[0] === 'year' && third.length === 2)
    return incomplete(dateOf(fullYear(first, reading), Number(second), Number(third)))
  if (!settled) return undefined
  // In a year-first locale, a date that ends with the year has no fixed order of day and month, so an ambiguous one is
  // rejected.
  if (order[0] === 'year' && !dayFirst && Number(first) <= 12 && Number(second) <= 12) return undefined
  const swapped = separator === '.' ? Number(first) > 12 || dayFirst : dayFirst
  const [day, month] = swapped ? [first, second] : [second, first]
  const date = dateOf(fullYear(third, reading), Number(month), Number(day))
  return third.length === 4 ? complete(date) : incomplete(date)
}

/** Parses `05122026` in the order of the locale, or `20261205`; undefined when neither or both are valid. */
function parseEightDigits(typed: string, { locale }: DateParsing): ParsedDate | undefined {
  const yearFirst = dateOf(Number(typed.slice(0, 4)), Number(typed.slice(4, 6)), Number(typed.slice(6)))
  const [first, second, year] = [typed.slice(0, 2), typed.slice(2, 4), typed.slice(4)].map(Number)
  const [day, month] = shortOrder(locale)[0] === 'day' ? [first, second] : [second, first]
  const yearLast = dateOf(year, month, day)
  if (yearFirst !== undefined && yearLast !== undefined && yearFirst !== yearLast) return undefined
  return complete(yearFirst ?? yearLast)
}

/** Parses `5 Dec 2026`, `Dec 5, 2026`, `5. Dezember`, `5 de diciembre de 2026`. */
function parseMonthNameDate(typed: string, reading: DateParsing): ParsedDate | undefined {
  const tokens = normaliseText(typed)
    .split(/[\s.,/'’-]+/)
    .filter((token) => token !== '' && !fillerWords.has(token))
  const names = tokens.filter((token) => /\p{L}/u.test(token) && !/^\d+(?:st|nd|rd|th|er|e|o)$/.test(token))
  const numbers = tokens.filter((token) => !names.includes(token)).map((token) => token.replace(/\D+$/, ''))
  const [name] = names
  if (name === undefined || names.length > 1 || numbers.length === 0 || numbers.length > 2) return undefined
  const month = monthOf(name, reading.locale)
  if (month === undefined) return undefined
  const [first = '', second] = numbers
  if (second === undefined) return first.length > 2 ? undefined : addMissingYear(Number(first), month, reading)
  const [day, year] = first.length === 4 ? [second, first] : [first, second]
  if (day.length > 2 || (year.length !== 2 && year.length !== 4)) return undefined
  const date = dateOf(fullYear(year, reading), month, Number(day))
  return year.length === 4 ? complete(date) : incomplete(date)
}

// Words that are ignored in a date: `5 de diciembre`, `the 5th of December`, `den 5 december`.
const fillerWords = new Set(['de', 'del', 'of', 'the', 'den', 'le', 'el', 'em'])

function addMissingYear(day: number, month: number, { today, missingYear }: DateParsing): ParsedDate | undefined {
  const year = Number(today.slice(0, 4))
  // Eight years before and after this year suffice for 29 February, since any eight consecutive years include one.
  const dates = Array.from({ length: 17 }, (_, at) => dateOf(year - 8 + at, month, day)).filter(
    (date) => date !== undefined,
  )
  const upcoming = dates.find((date) => date >= today)
  if (missingYear === 'upcoming') return incomplete(upcoming)
  if (missingYear === 'past') return incomplete(dates.findLast((date) => date <= today))
  const past = dates.findLast((date) => date < today)
  if (past === undefined || upcoming === undefined) return incomplete(past ?? upcoming)
  const distance = (date: string): number => Math.abs(Date.parse(date) - Date.parse(today))
  return incomplete(distance(past) < distance(upcoming) ? past : upcoming)
}

/**
 * Returns a longer year unchanged. Completes a two-digit year to the matching year that is closest to the current year
 * (26 is 2026), or for `past` to the latest matching year that is not after the current year.
 */
function fullYear(typed: string, { today, missingYear }: DateParsing): number {
  if (typed.length > 2) return Number(typed)
  const year = Number(today.slice(0, 4))
  const near = year - (year % 100) + Number(typed)
  if (missingYear === 'past') return near > year ? near - 100 : near
  return near > year + 50 ? near - 100 : near <= year - 50 ? near + 100 : near
}

/** Returns a date as `YYYY-MM-DD`; undefined unless it is valid and within the years 1900 to 2199. */
function dateOf(year = Number.NaN, month = Number.NaN, day = Number.NaN): string | undefined {
  if (!(year >= 1900 && year <= 2199)) return undefined
  const at = new Date(Date.UTC(year, month - 1, day))
  return at.getUTCMonth() === month - 1 && at.getUTCDate() === day ? at.toISOString().slice(0, 10) : undefined
}

function complete(date: string | undefined): ParsedDate | undefined {
  return date === undefined ? undefined : { date, complete: true }
}

function incomplete(date: string | undefined): ParsedDate | undefined {
  return date === undefined ? undefined : { date, complete: false }
}

const latin = { calendar: 'gregory', numberingSystem: 'latn', timeZone: 'UTC' } as const

function numericFormat(locale: string): Intl.DateTimeFormat {
  return dateFormat(locale, { ...latin, year: 'numeric', month: '2-digit', day: '2-digit' })
}

/** Returns the order of day and month in a date without a year. */
function shortOrder(locale: string): readonly Part[] {
  return partsOf(dateFormat(locale, { ...latin, month: 'numeric', day: 'numeric' }))
}

function partsOf(format: Intl.DateTimeFormat): readonly Part[] {
  return format
    .formatToParts(0)
    .map(({ type }) => type)
    .filter((type) => type === 'year' || type === 'month' || type === 'day')
}

// German abbreviations and names in daily use that `Intl` does not know.
const customaryGerman: ReadonlyMap<string, number> = new Map([
  ['mrz', 3],
  ['janner', 1],
])

/**
 * Returns the month (1 to 12) whose full or short name equals `name`, or else the only month with a name that begins
 * with `name`; undefined when no month or several months match, and for fewer than three letters. In German, the names
 * in `customaryGerman` come first.
 */
function monthOf(name: string, locale: string): number | undefined {
  if (name.length < 3) return undefined
  const customary = locale.startsWith('de') ? customaryGerman.get(name) : undefined
  if (customary !== undefined) return customary
  const months = Array.from({ length: 12 }, (_, month) => month)
  const formats = (['long', 'short'] as const).flatMap((month) => [
    dateFormat(locale, { month, timeZone: 'UTC' }),
    dateFormat(locale, { month, day: 'numeric', timeZone: 'UTC' }),
  ])
  const names = months.map((month) =>
    formats.map((format) => {
      const parts = format.formatToParts(Date.UTC(2026, month, 1))
      return normaliseText(parts.find(({ type }) => type === 'month')?.value ?? '').replace(/\.$/, '')
    }),
  )
  const exact = months.filter((month) => names[month]?.includes(name))
  const begun = months.filter((month) => names[month]?.some((one) => one.startsWith(name)))
  const [found, other] = exact.length > 0 ? exact : begun
  return found === undefined || other !== undefined ? undefined : found + 1
}

/** Maps the words for today, tomorrow and yesterday in the language of the locale to their dates. */
function relativeDates({ locale, today }: DateParsing): ReadonlyMap<string, string> {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  return new Map(
    [0, 1, -1].map((days) => {
      const date = new Date(`${today}T00:00:00Z`)
      date.setUTCDate(date.getUTCDate() + days)
      return [normaliseText(format.format(days, 'day')), date.toISOString().slice(0, 10)] as const
    }),
  )
}
