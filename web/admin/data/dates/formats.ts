import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../session.ts'
import { createStore, useStore } from '../store.ts'
import { dateFormat, numberFormat } from './intl.ts'
import { formatAmount } from './money.ts'

const storageKey = 'daybook.zone'

/** Whether the panel shows times in the time zone of the site or of this device; `chooseZone` changes the choice. */
export const zoneChoice = createStore<'site' | 'device'>(
  localStorage.getItem(storageKey) === 'device' ? 'device' : 'site',
)

/** Whether the user has made that choice on this device. */
export const isZoneChosen = createStore(localStorage.getItem(storageKey) !== null)

/** Sets `zoneChoice` and stores it on this device. */
export function chooseZone(choice: 'site' | 'device'): void {
  localStorage.setItem(storageKey, choice)
  zoneChoice.set(choice)
  isZoneChosen.set(true)
}

/** The time zone of this device. */
export const deviceZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Returns the IANA time zone of the site, whose dates are those of reports, payments, coupons and vouchers. */
export function useSiteZone(): string {
  return useSession()?.site.timezone ?? deviceZone
}

/**
 * Returns the IANA time zone in which the panel shows times: that of the site, or that of this device if the user chose
 * it.
 */
export function useZone(): string {
  const site = useSiteZone()
  return useStore(zoneChoice) === 'site' ? site : deviceZone
}

/** Formats instants (Unix seconds) in the displayed zone, and dates, amounts and numbers in the user's locale. */
export interface PanelFormats {
  readonly zone: string
  /** Date and time: `21 Nov 2026, 16:30`. */
  dateTime(at: number): string
  /** Date with weekday: `Saturday, 21 November 2026`. */
  longDate(at: number): string
  /** The time from `at` to `now` (both Unix seconds) as text: `3 minutes ago`. A later `at` counts as `now`. */
  ago(at: number, now: number): string
  /** Time of day: `16:30`. */
  time(at: number): string
  /** Short date with weekday: `Sat 21 Nov`. */
  shortDate(at: number): string
  /** A date, `2026-11-21`, as `21 Nov`. */
  dayAndMonth(date: string): string
  /** An amount, given in minor currency units, as `€45.00`. */
  money(amount: number, currency: string): string
  /** A fraction, such as 0.38, as `38%`. */
  share(value: number): string
  /** A number with at most one fraction digit: `2.4`. */
  number(value: number): string
  /** A number of bytes as `2.4 MB`. */
  bytes(value: number): string
}

/** Returns the formats for the current locale and the displayed zone. */
export function useFormats(): PanelFormats {
  const locale = useLocale()
  const zone = useZone()
  return useMemo(() => formatsOf(locale, zone), [locale, zone])
}

/**
 * Returns the first of the browser's preferred locales that has the panel's language, else the language without a
 * region. The region decides, for example, between 21 Nov and Nov 21.
 */
export function useLocale(): string {
  const { language } = useTranslation().i18n
  return navigator.languages.find((tag) => tag.split('-')[0] === language) ?? language
}

function formatsOf(locale: string, zone: string): PanelFormats {
  const dateTime = dateFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone })
  const longDate = dateFormat(locale, { dateStyle: 'full', timeZone: zone })
  const time = dateFormat(locale, { timeStyle: 'short', timeZone: zone })
  const shortDate = dateFormat(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: zone,
  })
  // A date has no zone, so it is parsed and formatted in UTC.
  const dayAndMonth = dateFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const share = numberFormat(locale, { style: 'percent' })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const number = numberFormat(locale, { maximumFractionDigits: 1 })
  return {
    zone,
    dateTime: (at) => dateTime.format(at * 1000),
    longDate: (at) => longDate.format(at * 1000),
    time: (at) => time.format(at * 1000),
    shortDate: (at) => shortDate.format(at * 1000),
    dayAndMonth: (date) => dayAndMonth.format(Date.parse(`${date}T00:00:00Z`)),
    money: (amount, currency) => formatAmount(amount, currency, locale),
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
