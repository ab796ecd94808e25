import { type Weekday, type Weekly, weekdays } from '../../../../../src/catalogue/providers/provider.ts'
import { parseWindow } from '../../../../../src/scheduling/opening-hours.ts'
import { formatMinuteOfDay, minutesOfDay } from '../../../data/dates/clock.ts'
import { parseTime } from '../../../data/dates/parse-date.ts'

/** One opening window as typed, `09:00` to `17:00`. */
export interface WindowValues {
  readonly from: string
  readonly to: string
}

/** Weekly opening hours as typed; every day is present, a closed day without windows. */
export type WeekValues = Readonly<Record<Weekday, readonly WindowValues[]>>

/** Converts weekly opening hours to form values. */
export function weekValuesOf(weekly: Weekly): WeekValues {
  const day = (name: Weekday) => (weekly[name] ?? []).map(windowValuesOf)
  return {
    mon: day('mon'),
    tue: day('tue'),
    wed: day('wed'),
    thu: day('thu'),
    fri: day('fri'),
    sat: day('sat'),
    sun: day('sun'),
  }
}

/** Converts form values to weekly opening hours: closed days are absent, windows are sorted. */
export function weeklyOf(week: WeekValues): Weekly {
  return Object.fromEntries(
    weekdays.flatMap((day) => (week[day].length > 0 ? [[day, windowTexts(week[day])] as const] : [])),
  )
}

/** Splits an opening window, `09:00-17:00`, into the values of two fields. */
export function windowValuesOf(text: string): WindowValues {
  const [from = '', to = ''] = text.split('-')
  return { from, to }
}

/** Formats opening windows as `09:00-17:00`, sorted. */
export function windowTexts(windows: readonly WindowValues[]): string[] {
  return windows.map(windowText).sort()
}

function windowText({ from, to }: WindowValues): string {
  return `${parseTime(from) ?? from}-${parseTime(to) ?? to}`
}

/** Parses a typed time to minutes since midnight; 0 for an empty or invalid time. */
export function minutesOf(text: string): number {
  const [hours = 0, minutes = 0] = (parseTime(text) ?? '0').split(':').map(Number)
  return hours * 60 + minutes
}

/**
 * Returns what is wrong with an opening window: `from` or `to` for an invalid time, `empty` for equal times; undefined
 * when the window is valid.
 */
export function windowErrorOf(window: WindowValues): 'from' | 'to' | 'empty' | undefined {
  const [from, to] = [parseTime(window.from), parseTime(window.to)]
  if (from === undefined || from === '24:00') return 'from'
  if (to === undefined) return 'to'
  return parseWindow(`${from}-${to}`) === undefined ? 'empty' : undefined
}

/** Returns the errors of opening windows by field path, `<path>.<index>`. */
export function validateWindows(
  path: string,
  windows: readonly WindowValues[],
): Record<string, 'from' | 'to' | 'empty'> {
  return Object.fromEntries(
    windows.flatMap((window, at) => {
      const error = windowErrorOf(window)
      return error === undefined ? [] : [[`${path}.${at}`, error]]
    }),
  )
}

/**
 * An opening window in minutes since midnight of its day; the end of a window that passes midnight is greater than
 * 1440.
 */
export interface WindowMinutes {
  readonly start: number
  readonly end: number
}

/** Converts an opening window to minutes; undefined when the window is invalid. */
export function windowMinutesOf(window: WindowValues): WindowMinutes | undefined {
  return parseWindow(windowText(window))
}

/** Converts an opening window in minutes to form values. */
export function formatWindowMinutes({ start, end }: WindowMinutes): WindowValues {
  return { from: formatMinuteOfDay(start), to: end === minutesOfDay ? '24:00' : formatMinuteOfDay(end % minutesOfDay) }
}

/** Copies the opening hours of one weekday to other weekdays. */
export function copyDay(week: WeekValues, from: Weekday, to: readonly Weekday[]): WeekValues {
  return { ...week, ...Object.fromEntries(to.map((day) => [day, week[from]])) }
}

const noon = 12 * 60
const breakLength = 60

/**
 * Splits an opening window by a break of one hour: at noon if the window begins before noon and ends after 13:00, else
 * in its middle, rounded down to a quarter of an hour. Undefined when the window is invalid or shorter than two hours.
 */
export function withBreak(window: WindowValues): readonly [WindowValues, WindowValues] | undefined {
  const span = windowMinutesOf(window)
  if (!span || span.end - span.start < 2 * breakLength) return undefined
  const { start, end } = span
  const atNoon = start < noon && noon + breakLength < end
  const middle = Math.floor((start + end - breakLength) / 2 / 15) * 15
  const from = atNoon ? noon : middle
  return [
    formatWindowMinutes({ start, end: from }),
    formatWindowMinutes({ start: (from + breakLength) % minutesOfDay, end }),
  ]
}

/**
 * Returns the initial value of an added opening window: 09:00 to 17:00 if there is no last window or it is invalid;
 * empty times if the last window ends after 22:00; otherwise three hours from one hour after the last window, until
 * midnight at the latest.
 */
export function nextWindow(windows: readonly WindowValues[]): WindowValues {
  const last = windows.at(-1)
  const end = last && windowMinutesOf(last)?.end
  if (end === undefined) return { from: '09:00', to: '17:00' }
  return end <= 22 * 60
    ? formatWindowMinutes({ start: end + 60, end: Math.min(end + 240, minutesOfDay) })
    : { from: '', to: '' }
}
