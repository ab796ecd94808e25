import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../session.ts'
import { createStore, useStore } from '../store.ts'
import { amountText } from './money.ts'

const kept = 'daybook.zone'

/** Whether times are shown in the site's zone or in this device's. */
export const zoneChoice = createStore<'site' | 'device'>(localStorage.getItem(kept) === 'device' ? 'device' : 'site')

/** Changes it, and keeps it on this device. */
export function chooseZone(choice: 'site' | 'device'): void {
  localStorage.setItem(kept, choice)
  zoneChoice.set(choice)
}

/** The zone this device is set to. */
export const deviceZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** The zone in which the panel shows times. */
export function useZone(): string {
  const site = useSession()?.site.timezone ?? deviceZone
  return useStore(zoneChoice) === 'site' ? site : deviceZone
}

/** Instants (Unix seconds) and amounts as text in the person's language; instants in the zone shown. */
export interface Formats {
  readonly zone: string
  /** `21 Nov 2026, 16:30` */
  dateTime(at: number): string
  /** `Saturday, 21 November 2026` */
  longDate(at: number): string
  /** `3 minutes ago` */
  ago(at: number, now: number): string
  /** `16:30` */
  time(at: number): string
  /** `Sat, 21 Nov` */
  shortDate(at: number): string
  /** A date, `2026-11-21`, as `21 Nov`. */
  dayAndMonth(date: string): string
  /** Of an amount in the smallest unit: `€45.00`. */
  money(amount: number, currency: string): string
  /** `38%` */
  share(value: number): string
  /** `2.4`: one digit behind the point at most. */
  number(value: number): string
  /** `2.4 MB` */
  bytes(value: number): string
}

/** The formats of the language and the zone shown. */
export function useFormats(): Formats {
  const locale = useLocale()
  const zone = useZone()
  return useMemo(() => formatsOf(locale, zone), [locale, zone])
}

/** The language as the browser's country writes it: 21 Nov in one, Nov 21 in another. */
export function useLocale(): string {
  const { language } = useTranslation().i18n
  return navigator.languages.find((tag) => tag.split('-')[0] === language) ?? language
}

// One for each language and zone: making them anew at each drawing is slow.
function formatsOf(locale: string, zone: string): Formats {
  const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone })
  const longDate = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: zone })
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: zone })
  const shortDate = new Intl.DateTimeFormat(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: zone,
  })
  // A date has no zone: it is read and written as of UTC.
  const dayAndMonth = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const share = new Intl.NumberFormat(locale, { style: 'percent' })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  return {
    zone,
    dateTime: (at) => dateTime.format(at * 1000),
    longDate: (at) => longDate.format(at * 1000),
    time: (at) => time.format(at * 1000),
    shortDate: (at) => shortDate.format(at * 1000),
    dayAndMonth: (date) => dayAndMonth.format(Date.parse(`${date}T00:00:00Z`)),
    money: (amount, currency) => amountText(amount, currency, locale),
    share: (value) => share.format(value),
    number: (value) => number.format(value),
    ago(at, now) {
      const passed = Math.max(0, now - at)
      const { unit, seconds } = units.find((one) => passed >= one.seconds) ?? { unit: 'second', seconds: 1 }
      return relative.format(-Math.floor(passed / seconds), unit)
    },
    bytes(value) {
      const power = Math.min(3, Math.floor(Math.log10(Math.max(1, value)) / 3))
      return `${number.format(value / 1000 ** power)} ${['B', 'kB', 'MB', 'GB'][power]}`
    },
  }
}

const units = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3_600 },
  { unit: 'minute', seconds: 60 },
] as const
