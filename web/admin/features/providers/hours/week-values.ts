import { type Weekday, type Weekly, weekdays } from '../../../../../src/catalogue/providers/provider.ts'
import { parseWindow } from '../../../../../src/scheduling/opening-hours.ts'
import { timeText } from '../../../data/dates/clock.ts'
import { readTime } from '../../../data/dates/typed-date.ts'

/** One opening window as it is typed, `09:00` to `17:00`. */
export interface TypedWindow {
  readonly from: string
  readonly to: string
}

/** A week as it is typed: every day is there. */
export type TypedWeek = Readonly<Record<Weekday, readonly TypedWindow[]>>

const minutesOfDay = 1_440

/** The week as the form holds it. */
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

/** The week as it is kept: closed days are absent, windows stand in their order. */
export function weeklyOf(week: TypedWeek): Weekly {
  return Object.fromEntries(
    weekdays.flatMap((day) => (week[day].length > 0 ? [[day, windowTexts(week[day])] as const] : [])),
  )
}

/** `09:00-17:00` in two fields. */
export function typedWindow(text: string): TypedWindow {
  const [from = '', to = ''] = text.split('-')
  return { from, to }
}

/** Windows as they are kept, in their order. */
export function windowTexts(windows: readonly TypedWindow[]): string[] {
  return windows.map(windowText).sort()
}

function windowText({ from, to }: TypedWindow): string {
  return `${readTime(from) ?? from}-${readTime(to) ?? to}`
}

/** Minutes from midnight of a time as people type it; none is midnight. */
export function minutesOf(text: string): number {
  const [hours = 0, minutes = 0] = (readTime(text) ?? '0').split(':').map(Number)
  return hours * 60 + minutes
}

/** What is wrong with a window: a field that is no time, or both the same. */
export function windowFault(window: TypedWindow): 'from' | 'to' | 'empty' | undefined {
  const [from, to] = [readTime(window.from), readTime(window.to)]
  if (from === undefined || from === '24:00') return 'from'
  if (to === undefined) return 'to'
  return parseWindow(`${from}-${to}`) === undefined ? 'empty' : undefined
}

/** Which fields of a list of windows are wrong, by their names in the form. */
export function windowFaults(path: string, windows: readonly TypedWindow[]): Record<string, 'from' | 'to' | 'empty'> {
  return Object.fromEntries(
    windows.flatMap((window, at) => {
      const fault = windowFault(window)
      return fault === undefined ? [] : [[`${path}.${at}`, fault]]
    }),
  )
}

/** A window in minutes from the midnight of its day; one that passes midnight ends after 1440. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** The window in minutes; undefined while it is none. */
export function spanOf(window: TypedWindow): Span | undefined {
  return parseWindow(windowText(window))
}

/** Minutes as a window. */
export function parseWindowFields({ start, end }: Span): TypedWindow {
  return { from: timeText(start), to: end === minutesOfDay ? '24:00' : timeText(end % minutesOfDay) }
}

/** The hours of one day on others too. */
export function copyDay(week: TypedWeek, from: Weekday, to: readonly Weekday[]): TypedWeek {
  return { ...week, ...Object.fromEntries(to.map((day) => [day, week[from]])) }
}

/** What a new window of a day begins with: after the last one where there is room, else the usual day. */
export function nextWindow(windows: readonly TypedWindow[]): TypedWindow {
  const last = windows.at(-1)
  const end = last && spanOf(last)?.end
  if (end === undefined) return { from: '09:00', to: '17:00' }
  return end <= 22 * 60
    ? parseWindowFields({ start: end + 60, end: Math.min(end + 240, minutesOfDay) })
    : { from: '', to: '' }
}
