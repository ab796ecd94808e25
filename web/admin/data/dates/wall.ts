import { useMemo } from 'react'
import { useLocale } from './formats.ts'

/** Instants (Unix seconds) as a wall clock of one zone shows them, whatever zone the panel is set to. */
export interface Wall {
  /** `16:30` */
  time(at: number): string
  /** `16:30–17:00`, with the date at an end that is on another day */
  span(of: { readonly start: number; readonly end: number }): string
  /** `21 Nov 2026, 16:30` */
  dateTime(at: number): string
}

/** The wall clock of a zone, in the person's language. */
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
      // Midnight at the end still belongs to the day.
      const oneDay = shown(date, start) === shown(date, end - 1)
      return `${shown(time, start)}–${shown(oneDay ? time : dateTime, end)}`
    },
  }
}
