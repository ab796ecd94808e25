import { useMemo } from 'react'
import { useLocale } from './formats.ts'
import { dateFormat } from './intl.ts'

/** Formats instants (Unix seconds) in one time zone, regardless of the zone that the panel displays. */
export interface ZonedFormats {
  /** Time of day: `16:30`. */
  time(at: number): string
  /** A period as `16:30–17:00`; an end later than the midnight after the start is shown with its date. */
  span(of: { readonly start: number; readonly end: number }): string
  /** Date and time: `21 Nov 2026, 16:30`. */
  dateTime(at: number): string
}

/** Returns the formats for an IANA time zone and the user's locale. */
export function useZonedFormats(zone: string): ZonedFormats {
  const locale = useLocale()
  return useMemo(() => zonedFormatsOf(locale, zone), [locale, zone])
}

function zonedFormatsOf(locale: string, zone: string): ZonedFormats {
  const time = dateFormat(locale, { timeStyle: 'short', timeZone: zone })
  const date = dateFormat(locale, { dateStyle: 'short', timeZone: zone })
  const dateTime = dateFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone })
  const shown = (format: Intl.DateTimeFormat, at: number): string => format.format(at * 1000)
  return {
    time: (at) => shown(time, at),
    dateTime: (at) => shown(dateTime, at),
    span({ start, end }) {
      // A period that ends at midnight counts as one within the date on which it began.
      const oneDay = shown(date, start) === shown(date, end - 1)
      return `${shown(time, start)}–${shown(oneDay ? time : dateTime, end)}`
    },
  }
}
