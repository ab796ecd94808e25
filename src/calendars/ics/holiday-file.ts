import { dateText, dayNumber, parseDate, weekdayOf } from '../../scheduling/time/date.ts'

/** A period of whole days with a name; both days are included. */
export interface NamedDays {
  readonly from: string
  readonly to: string
  readonly name: string
}

/** The holidays of a calendar file. */
export interface HolidayFile {
  readonly holidays: readonly NamedDays[]
  /**
   * The number of ignored events of the file: those without a date as start, or with an unsupported recurrence rule.
   */
  readonly leftOut: number
}

/** The first and the last day for which holidays are listed, as day numbers (days since 1970-01-01). */
interface Span {
  readonly first: number
  readonly last: number
}

const maxHolidays = 1_000

/**
 * Returns the first 1,000 all-day events of a calendar file that overlap the days from `from` to `to` (both included),
 * ordered by date; undefined for a text that is not a calendar file. Of recurring events, yearly ones by date or by
 * weekday are supported, such as the fourth Thursday of November, with excluded and changed instances.
 */
export function holidaysOf(text: string, { from, to }: { readonly from: string; readonly to: string }) {
  const lines = text
    .replace(/^\uFEFF/, '')
    .replace(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)
  if (!/^BEGIN:VCALENDAR\s*$/i.test(lines[0] ?? '')) return undefined
  const span = { first: parseDate(from) ?? 0, last: parseDate(to) ?? 0 }
  const events = eventsIn(lines)
  const changed = changedDays(events)
  const found = new Map<string, NamedDays>()
  let leftOut = 0
  for (const event of events) {
    const days = daysOf(event, changed.get(event.get('UID') ?? '') ?? new Set<number>(), span)
    if (days) for (const one of days) found.set(`${one.from} ${one.to} ${one.name}`, one)
    else leftOut += 1
  }
  const holidays = [...found.values()].sort((one, other) => (one.from < other.from ? -1 : 1)).slice(0, maxHolidays)
  const file: HolidayFile = { holidays, leftOut }
  return file
}

/** The properties of an event by name; the values of a repeated `EXDATE` are joined with commas. */
type FileEvent = ReadonlyMap<string, string>

/** Returns the events of a calendar file, without the properties of the components in them, such as alarms. */
function eventsIn(lines: readonly string[]): FileEvent[] {
  const events: FileEvent[] = []
  let event: Map<string, string> | undefined
  let depth = 0
  for (const line of lines) {
    if (/^BEGIN:VEVENT\s*$/i.test(line)) {
      event = new Map()
      depth = 0
      continue
    }
    if (!event) continue
    if (/^END:VEVENT\s*$/i.test(line)) {
      events.push(event)
      event = undefined
    } else if (/^BEGIN:/i.test(line)) depth += 1
    else if (/^END:/i.test(line)) depth = Math.max(0, depth - 1)
    else if (depth === 0) {
      const [, word = '', value = ''] = /^([A-Z-]+)(?:;(?:"[^"]*"|[^":])*)?:(.*)$/i.exec(line) ?? []
      const name = word.toUpperCase()
      const before = name === 'EXDATE' ? event.get(name) : undefined
      event.set(name, before === undefined ? value : `${before},${value}`)
    }
  }
  return events
}

/** Returns, by the `UID` of a series, the days of the instances that other events replace, as day numbers. */
function changedDays(events: readonly FileEvent[]): ReadonlyMap<string, ReadonlySet<number>> {
  const days = new Map<string, Set<number>>()
  for (const event of events) {
    const uid = event.get('UID') ?? ''
    const before = days.get(uid) ?? new Set<number>()
    days.set(uid, before)
    for (const day of datesIn(event.get('RECURRENCE-ID'))) before.add(day)
  }
  return days
}

/** Returns the day numbers of a list of dates; a time is ignored, because some programs write one for whole days. */
function datesIn(list: string | undefined): number[] {
  return (list ?? '').split(',').flatMap((value) => stampDay(value.trim().slice(0, 8)) ?? [])
}

/**
 * Returns the periods of an event that overlap the span: none when it is cancelled; undefined when it is not supported.
 * Instances of a series that begin on a day in `changed` are left out.
 */
function daysOf(event: FileEvent, changed: ReadonlySet<number>, span: Span): NamedDays[] | undefined {
  const start = stampDay(event.get('DTSTART'))
  if (start === undefined) return undefined
  if (event.get('STATUS')?.toUpperCase() === 'CANCELLED') return []
  const end = stampDay(event.get('DTEND')) ?? start + 1
  const length = Math.max(1, end - start)
  const name = unescaped(event.get('SUMMARY') ?? '').slice(0, 200)
  const rule = event.get('RRULE')
  const starts = rule === undefined ? [start] : yearly(start, rule, span)
  const exceptions = new Set(datesIn(event.get('EXDATE')))
  const isExcluded = (day: number) => rule !== undefined && (exceptions.has(day) || changed.has(day))
  return starts
    ?.filter((day) => day + length > span.first && day <= span.last && !isExcluded(day))
    .map((day) => ({ from: dateText(day), to: dateText(day + length - 1), name }))
}

/** Returns the day number of a date such as `20261225`; undefined for any other value, such as one with a time. */
function stampDay(value: string | undefined): number | undefined {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)\s*$/.exec(value ?? '') ?? []
  return year === undefined ? undefined : parseDate(`${year}-${month}-${day}`)
}

const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const understood = new Set(['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYMONTH', 'BYMONTHDAY', 'BYDAY', 'WKST'])

/**
 * Returns the first days of a yearly event's instances up to the end of the span; undefined for an unsupported rule.
 */
function yearly(start: number, rule: string, { last }: Span): number[] | undefined {
  const parts = new Map(
    rule.split(';').map((part) => {
      const [name = '', value = ''] = part.trim().split('=')
      return [name.toUpperCase(), value.toUpperCase()]
    }),
  )
  const isUnderstood = [...parts.keys()].every((name) => understood.has(name))
  if (parts.get('FREQ') !== 'YEARLY' || !isUnderstood) return undefined
  const [firstYear = 0, firstMonth = 0, firstDay = 0] = dateText(start).split('-').map(Number)
  const [month, monthDay] = [Number(parts.get('BYMONTH') ?? firstMonth), Number(parts.get('BYMONTHDAY') ?? firstDay)]
  const [, nth, weekday] = /^([+-]?\d)(SU|MO|TU|WE|TH|FR|SA)$/.exec(parts.get('BYDAY') ?? '') ?? []
  if ((parts.has('BYDAY') && nth === undefined) || !(month >= 1 && month <= 12) || !(monthDay >= 1)) return undefined
  const step = Number(parts.get('INTERVAL') ?? 1)
  const until = stampDay(parts.get('UNTIL')?.slice(0, 8)) ?? last
  if (!(step >= 1)) return undefined
  let left = Number(parts.get('COUNT') ?? Number.POSITIVE_INFINITY)
  const found: number[] = []
  for (let year = firstYear; left > 0 && year < firstYear + 500; year += step) {
    const day =
      nth === undefined || weekday === undefined
        ? dayNumber(year, month, monthDay)
        : nthWeekday(year, month, { nth: Number(nth), weekday: weekdays.indexOf(weekday) })
    if (day > Math.min(last, until)) break
    // Days before the start of the event are skipped, and also dates that do not exist, such as 29 February 2027.
    if (day < start || Number(dateText(day).slice(5, 7)) !== month) continue
    found.push(day)
    left -= 1
  }
  return found
}

/**
 * Returns the day number of the `nth` occurrence of a weekday in a month, counted from its end when `nth` is negative;
 * a day of another month when there is none.
 */
function nthWeekday(
  year: number,
  month: number,
  { nth, weekday }: { readonly nth: number; readonly weekday: number },
): number {
  const [nextYear, nextMonth] = month === 12 ? [year + 1, 1] : [year, month + 1]
  const edge = nth > 0 ? dayNumber(year, month, 1) : dayNumber(nextYear, nextMonth, 1) - 1
  const away = (nth > 0 ? weekday - weekdayOf(edge) + 7 : weekdayOf(edge) - weekday + 7) % 7
  return nth > 0 ? edge + away + (nth - 1) * 7 : edge - away + (nth + 1) * 7
}

function unescaped(text: string): string {
  return text.replace(/\\([nN,;\\])/g, (_, character: string) => (/n/i.test(character) ? ' ' : character)).trim()
}
