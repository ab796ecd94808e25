import { useMemo } from 'react'
import { useLocale } from './formats.ts'

/** Formats instants (Unix seconds) in one zone, regardless of the zone that the panel displays. */
export interface Wall {
  /** `16:30` */
  time(at: number): string
  /** `16:30–17:00`, with the date of an end on another day */
  span(of: { readonly start: number; readonly end: number }): string
  /** `21 Nov 2026, 16:30` */
  dateTime(at: number): string
}

/** Returns the formats of a zone in the user's locale. */
export function useWall(zone: string): Wall {
  const locale = useLocale()
  return useMemo(() => wallOf(locale, zone), [locale, zone])
}

function wallOf(locale: string, zone: string): Wall {
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: zone })
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeZone: zone })
  const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone })
  const shown = (format: Intl.DateTimeFormat, at: number): string => format.format(at * 1000)
  return {
    time: (at) => shown(time, at),
    dateTime: (at) => shown(dateTime, at),
    span({ start, end }) {
      // An end at midnight belongs to the day before.
      const oneDay = shown(date, start) === shown(date, end - 1)
      return `${shown(time, start)}–${shown(oneDay ? time : dateTime, end)}`
    },
  }
}
