import ICAL from 'ical.js'
import { parseDate } from '../../scheduling/time/date.ts'
import { CalendarFault } from '../calendar-fault.ts'
import { openingOf } from '../openings/opening-rule.ts'
import type { StatedEvent, StatedRule, StatedTime, Transparency } from './event.ts'

/** A property as ical.js parses it: name, parameters, type and values. */
interface Property {
  readonly name: string
  readonly parameters: Readonly<Record<string, string | readonly string[]>>
  readonly type: string
  readonly values: readonly unknown[]
}

/** The maximum number of dates that an event may add to its series (`RDATE`) or exclude from it (`EXDATE`), in all. */
const maxDates = 20_000

/**
 * Parses the content lines of one event; undefined for an event without a start. `zoneOf` returns the name of the zone
 * that a parameter `TZID` names. Throws a `CalendarFault` when a line is malformed, or when the event lists more than
 * `maxDates` dates.
 */
export function parseEvent(lines: readonly string[], zoneOf: (tzid: string) => string): StatedEvent | undefined {
  const properties = lines.map((line) => parsed(line, zoneOf))
  const all = (name: string) => properties.filter((property) => property.name === name)
  const one = (name: string) => all(name)[0]
  const text = (name: string) => String(one(name)?.values[0] ?? '')
  const startProperty = one('dtstart')
  if (!startProperty) return undefined
  const end = one('dtend')
  const duration = one('duration')
  const replaces = one('recurrence-id')
  const dates = all('rdate').flatMap((property) =>
    property.values.map((value) => ({ start: time(property, value), seconds: periodSeconds(property, value) })),
  )
  const exceptions = all('exdate').flatMap((property) => property.values.map((value) => time(property, value)))
  if (dates.length + exceptions.length > maxDates) throw new CalendarFault('too_many_events')
  const [status, busyStatus] = [text('status').toUpperCase(), text('x-microsoft-cdo-busystatus').toUpperCase()]
  // Calendar programs mark an invitation as tentative until the owner of the calendar accepts it. Until then, the event
  // is its sender's alone and opens no time.
  const isTentative = status === 'TENTATIVE' || busyStatus === 'TENTATIVE'
  return {
    uid: text('uid'),
    sequence: Number.parseInt(text('sequence'), 10) || 0,
    start: time(startProperty, startProperty.values[0]),
    end: end && time(end, end.values[0]),
    duration: duration && parseDuration(String(duration.values[0])),
    rules: all('rrule').map(ruleOf),
    dates,
    exceptions,
    replaces: replaces && time(replaces, replaces.values[0]),
    andFollowing: String(replaces?.parameters.range ?? '').toUpperCase() === 'THISANDFUTURE',
    isCancelled: status === 'CANCELLED',
    opening: isTentative ? undefined : openingOf(lines),
    transparency: transparencyOf(isTentative, text('transp').toUpperCase(), busyStatus),
  }
}

function transparencyOf(isTentative: boolean, transp: string, busyStatus: string): Transparency {
  if (transp === 'TRANSPARENT' || busyStatus === 'FREE' || busyStatus === 'WORKINGELSEWHERE') return 'free'
  if (busyStatus === 'OOF') return 'out_of_office'
  return isTentative ? 'tentative' : 'busy'
}

function parsed(line: string, zoneOf: (tzid: string) => string): Property {
  try {
    const [name, parameters, type, ...values] = ICAL.parse.property(line) as unknown as [
      string,
      Property['parameters'],
      string,
      ...unknown[],
    ]
    const { tzid } = parameters
    const zone = tzid === undefined ? {} : { tzid: zoneOf(String(tzid)) }
    return { name, parameters: { ...parameters, ...zone }, type, values }
  } catch {
    // ical.js throws when a line is invalid. Its message is dropped, because the line may contain personal data.
    throw new CalendarFault('malformed')
  }
}

const stamp = /^(\d{4}-\d\d-\d\d)(?:T(?:(\d\d):(\d\d):(\d\d)(Z?)|::))?$/

/** Returns the time in the value of an iCalendar property; throws a `CalendarFault` when the value is not a time. */
function time({ parameters }: Pick<Property, 'parameters'>, value: unknown): StatedTime {
  const [, date = '', hour, minute, second, utc] = stamp.exec(String(Array.isArray(value) ? value[0] : value)) ?? []
  const day = parseDate(date)
  if (day === undefined) throw new CalendarFault('malformed')
  const isDate = hour === undefined
  const wall = day * 86_400 + (isDate ? 0 : Number(hour) * 3_600 + Number(minute) * 60 + Math.min(Number(second), 59))
  if (wall >= (day + 1) * 86_400) throw new CalendarFault('malformed')
  const zone = utc === 'Z' ? 'UTC' : (parameters.tzid ?? null)
  return { wall, zone: isDate ? null : zone === null ? null : String(zone), isDate }
}

/** Returns the length of a `PERIOD` in seconds, in wall time; undefined for other values. */
function periodSeconds(property: Property, value: unknown): number | undefined {
  if (!Array.isArray(value)) return undefined
  const until = String(value[1])
  if (/^[+-]?P/.test(until)) {
    const { days, seconds } = parseDuration(until)
    return days * 86_400 + seconds
  }
  return time(property, until).wall - time(property, value).wall
}

const durationForm = /^([+-]?)P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/

function parseDuration(text: string): { readonly days: number; readonly seconds: number } {
  const [all, sign, ...parts] = durationForm.exec(text) ?? []
  if (all === undefined) throw new CalendarFault('malformed')
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0))
  if (sign === '-') return { days: 0, seconds: 0 }
  return { days: weeks * 7 + days, seconds: hours * 3_600 + minutes * 60 + seconds }
}

function ruleOf({ values: [value] }: Property): StatedRule {
  const { until, ...parts } = value as Readonly<Record<string, unknown>>
  const count = parts.count
  const interval = parts.interval
  const isValid = typeof parts.freq === 'string' && isPositive(count) && isPositive(interval)
  if (!isValid) throw new CalendarFault('malformed')
  return { parts, until: until === undefined ? undefined : time({ parameters: {} }, until) }
}

function isPositive(value: unknown): boolean {
  return value === undefined || (typeof value === 'number' && Number.isInteger(value) && value >= 1)
}
