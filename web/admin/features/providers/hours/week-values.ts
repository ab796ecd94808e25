import { type Weekday, type Weekly, weekdays } from '../../../../../src/catalogue/providers/provider.ts'
import { parseWindow } from '../../../../../src/scheduling/opening-hours.ts'
import { timeText } from '../../../data/dates/clock.ts'
import { readTime } from '../../../data/dates/typed-date.ts'

/** One opening window as typed, `09:00` to `17:00`. */
export interface TypedWindow {
  readonly from: string
  readonly to: string
}

/** A week as typed; every day is present. */
export type TypedWeek = Readonly<Record<Weekday, readonly TypedWindow[]>>

const minutesOfDay = 1_440

/** Converts a week to form values. */
export function typedWeek(weekly: Weekly): TypedWeek {
  const day = (name: Weekday) => (weekly[name] ?? []).map(typedWindow)
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

/** Converts form values to a week: closed days are absent, windows are sorted. */
export function weeklyOf(week: TypedWeek): Weekly {
  return Object.fromEntries(
    weekdays.flatMap((day) => (week[day].length > 0 ? [[day, windowTexts(week[day])] as const] : [])),
  )
}

/** Splits `09:00-17:00` into two fields. */
export function typedWindow(text: string): TypedWindow {
  const [from = '', to = ''] = text.split('-')
  return { from, to }
}

/** Formats windows as `09:00-17:00`, sorted. */
export function windowTexts(windows: readonly TypedWindow[]): string[] {
  return windows.map(windowText).sort()
}

function windowText({ from, to }: TypedWindow): string {
  return `${readTime(from) ?? from}-${readTime(to) ?? to}`
}

/** Parses a typed time to minutes since midnight; an empty time is midnight. */
export function minutesOf(text: string): number {
  const [hours = 0, minutes = 0] = (readTime(text) ?? '0').split(':').map(Number)
  return hours * 60 + minutes
}

/** Returns the error of a window: an invalid time, or equal times. */
export function windowFault(window: TypedWindow): 'from' | 'to' | 'empty' | undefined {
  const [from, to] = [readTime(window.from), readTime(window.to)]
  if (from === undefined || from === '24:00') return 'from'
  if (to === undefined) return 'to'
  return parseWindow(`${from}-${to}`) === undefined ? 'empty' : undefined
}

/** Returns the errors of a list of windows by field path. */
export function windowFaults(path: string, windows: readonly TypedWindow[]): Record<string, 'from' | 'to' | 'empty'> {
  return Object.fromEntries(
    windows.flatMap((window, at) => {
      const fault = windowFault(window)
      return fault === undefined ? [] : [[`${path}.${at}`, fault]]
    }),
  )
}

/** A window in minutes since midnight of its day; a window past midnight ends after 1440. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Converts a window to minutes; undefined when the window is invalid. */
export function spanOf(window: TypedWindow): Span | undefined {
  return parseWindow(windowText(window))
}

/** Converts minutes to a window. */
export function parseWindowFields({ start, end }: Span): TypedWindow {
  return { from: timeText(start), to: end === minutesOfDay ? '24:00' : timeText(end % minutesOfDay) }
}

/** Copies the hours of one day to other days. */
export function copyDay(week: TypedWeek, from: Weekday, to: readonly Weekday[]): TypedWeek {
  return { ...week, ...Object.fromEntries(to.map((day) => [day, week[from]])) }
}

const noon = 12 * 60
const breakLength = 60

/**
 * Splits a window by a break: from noon for an hour, or that hour in the middle of a window without one; undefined when
 * the window is invalid or too short.
 */
export function withBreak(window: TypedWindow): readonly [TypedWindow, TypedWindow] | undefined {
  const span = spanOf(window)
  if (!span || span.end - span.start < 2 * breakLength) return undefined
  const { start, end } = span
  const atNoon = start < noon && noon + breakLength < end
  const middle = Math.floor((start + end - breakLength) / 2 / 15) * 15
  const from = atNoon ? noon : middle
  return [
    parseWindowFields({ start, end: from }),
    parseWindowFields({ start: (from + breakLength) % minutesOfDay, end }),
  ]
}

/** Returns the initial value of an added window: after the last one if there is room, else the usual hours. */
export function nextWindow(windows: readonly TypedWindow[]): TypedWindow {
  const last = windows.at(-1)
  const end = last && spanOf(last)?.end
  if (end === undefined) return { from: '09:00', to: '17:00' }
  return end <= 22 * 60
    ? parseWindowFields({ start: end + 60, end: Math.min(end + 240, minutesOfDay) })
    : { from: '', to: '' }
}
