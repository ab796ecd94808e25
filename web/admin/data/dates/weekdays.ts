import { type Weekday, weekdays } from '../../../../src/catalogue/providers/provider.ts'
import { useLocale } from './formats.ts'
import { dateFormat } from './intl.ts'

/** Returns a function that gives the name of a weekday in the user's language. */
export function useWeekdays(): (day: Weekday, form: 'long' | 'short') => string {
  const locale = useLocale()
  return (day, form) => {
    // 5 January 1970 was a Monday, the first of `weekdays`.
    const date = new Date(Date.UTC(1970, 0, 5 + weekdays.indexOf(day)))
    return dateFormat(locale, { weekday: form, timeZone: 'UTC' }).format(date)
  }
}
