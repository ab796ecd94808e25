/**
 * Returns the day number of a date: the days since 1970-01-01. Dates are represented as day numbers, so that the next
 * day is one more.
 */
export function dayNumber(year: number, month: number, day: number): number {
  // Years are counted from March, so that the leap day is the last day of its year; 400 years have 146,097 days.
  const shifted = month <= 2 ? year - 1 : year
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
}

/** Formats a day number as `YYYY-MM-DD`. */
export function dateText(dayOf1970: number): string {
  const shifted = dayOf1970 + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`
}

/** Parses `YYYY-MM-DD` to a day number; undefined for text of another form and for dates that do not exist. */
export function parseDate(text: string): number | undefined {
  const parts = /(\d{4})-(\d\d)-(\d\d)/.exec(text)
  if (!parts) return undefined
  const found = dayNumber(Number(parts[1]), Number(parts[2]), Number(parts[3]))
  // Formatting the result again detects dates that do not exist, and characters before or after the date.
  return dateText(found) === text ? found : undefined
}

/** Returns the weekday of a day number, 0 for Monday to 6 for Sunday. */
export function weekdayOf(dayOf1970: number): number {
  return (((dayOf1970 + 3) % 7) + 7) % 7
}

/** Formats a non-negative integer with at least `width` digits, padded with zeros. */
export function digits(value: number, width: number): string {
  return String(value).padStart(width, '0')
}
