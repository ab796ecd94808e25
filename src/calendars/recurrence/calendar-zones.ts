import ICAL from 'ical.js'
import { dateText } from '../../scheduling/time/date.ts'
import { dayStart, instantOfWall, isZone, offsetAt } from '../../scheduling/time/zone.ts'
import { CalendarFault } from '../calendar-fault.ts'
import type { StatedTime } from './event.ts'

/**
 * The maximum number of `STANDARD` and `DAYLIGHT` sections of one time zone; ical.js expands each of them year by year.
 */
const maxObservances = 200
const maxDefinitions = 500
/** The maximum number of seconds by which a zone's clocks are changed at once. */
const maxChange = 10_800
/** The content lines of a definition that determine the zone's offsets. */
const rulePart = /^(?:BEGIN|END|DTSTART|RRULE|RDATE|TZOFFSETFROM|TZOFFSETTO)[;:]/i

/**
 * The time zones of one connected calendar. A zone in the zone database is taken from there even if the calendar
 * defines it differently, because opening hours use the zone database as well. Any other zone is taken from its
 * definition in the calendar.
 */
export class CalendarZones {
  readonly #home: string
  readonly #definitions = new Map<string, readonly string[]>()
  /** The names of the defined zones, by the text of their definitions. */
  readonly #nameByDefinition = new Map<string, string>()
  /** The names of the zones that each file defines, by file and `TZID`. */
  readonly #nameInFile = new Map<string, string>()
  readonly #resolved = new Map<string, string | ICAL.Timezone>()

  /** Creates the zones of a calendar; `home` is the zone of floating times and all-day events. */
  constructor(home: string) {
    this.#home = home
  }

  /**
   * Adds the definition of a zone, a `VTIMEZONE` component as content lines, which applies to the events of one file.
   * Different files may define different zones with one `TZID`, such as `Customized Time Zone`.
   */
  define(lines: readonly string[], file: number): void {
    const id = lines.map(tzidOf).find((found) => found !== undefined)
    if (id === undefined || knownZone(id) !== undefined) return
    const definition = [id, ...lines.filter((line) => rulePart.test(line))].join('\n')
    let name = this.#nameByDefinition.get(definition)
    if (name === undefined) {
      if (this.#definitions.size >= maxDefinitions) throw new CalendarFault('malformed')
      name = this.#definitions.has(id) ? `${id}\n${this.#definitions.size}` : id
      this.#definitions.set(name, lines)
      this.#nameByDefinition.set(definition, name)
    }
    this.#nameInFile.set(`${file}\n${id}`, name)
  }

  /**
   * Returns the name by which `instantOf` and `wallOf` know the zone that the parameter `TZID` names in one file. All
   * definitions of the file must have been added.
   */
  nameOf(tzid: string, file: number): string {
    const id = unescaped(tzid)
    return this.#nameInFile.get(`${file}\n${id}`) ?? id
  }

  /**
   * Returns the instant (Unix seconds) of a time as a calendar file states it; a date begins at midnight in the home
   * zone.
   */
  instantOf({ wall, zone, isDate }: StatedTime): number {
    if (isDate) return dayStart(this.#home, Math.floor(wall / 86_400))
    if (zone === 'UTC') return wall
    const resolved = zone === null ? this.#home : this.#resolve(zone)
    if (typeof resolved === 'string') return instantOfWall(resolved, wall)
    return wall - offsetBefore(resolved, wall)
  }

  /** Returns the wall time of an instant in the zone of a stated time, in seconds since 1970-01-01T00:00. */
  wallOf(instant: number, { zone, isDate }: Pick<StatedTime, 'zone' | 'isDate'>): number {
    if (zone === 'UTC') return instant
    const resolved = zone === null || isDate ? this.#home : this.#resolve(zone)
    if (typeof resolved === 'string') return instant + offsetAt(resolved, instant)
    // ical.js looks up a zone's offset by wall time. The wall time is therefore estimated first, with the offset at the
    // wall time that equals `instant` in UTC.
    const near = instant + resolved.utcOffset(icalTime(instant))
    const late = instant + resolved.utcOffset(icalTime(near))
    // Of an hour that a clock change repeats, the first occurrence has the offset before the change.
    const early = instant + offsetBefore(resolved, late)
    return early - offsetBefore(resolved, early) === instant ? early : late
  }

  #resolve(id: string): string | ICAL.Timezone {
    const known = this.#resolved.get(id)
    if (known !== undefined) return known
    const found = knownZone(id) ?? this.#defined(id)
    this.#resolved.set(id, found)
    return found
  }

  #defined(id: string): ICAL.Timezone {
    const lines = this.#definitions.get(id)
    if (!lines) throw new CalendarFault('unknown_zone', id.slice(0, 80))
    const observances = lines.filter((line) => /^BEGIN:(?:STANDARD|DAYLIGHT)/i.test(line)).length
    const rules = lines.filter((line) => /^RRULE[;:]/i.test(line))
    if (observances === 0 || observances > maxObservances || !rules.every((rule) => /FREQ=YEARLY/i.test(rule)))
      throw new CalendarFault('malformed')
    const text = ['BEGIN:VTIMEZONE', ...lines, 'END:VTIMEZONE'].join('\r\n')
    try {
      return new ICAL.Timezone({ component: new ICAL.Component(ICAL.parse(text)), tzid: id })
    } catch {
      // ical.js throws when a definition is invalid.
      throw new CalendarFault('malformed')
    }
  }
}

/**
 * Returns the offset of a defined zone at a wall time; in an hour that a clock change skips or repeats, the offset
 * before the change (RFC 5545, 3.3.5). In such an hour ical.js returns the offset after it.
 */
function offsetBefore(zone: ICAL.Timezone, wall: number): number {
  const before = zone.utcOffset(icalTime(wall - maxChange))
  const offset = zone.utcOffset(icalTime(wall))
  const isInChange = zone.utcOffset(icalTime(wall - Math.abs(offset - before))) === before
  return isInChange ? before : offset
}

/** Whether a content line is the `TZID` of a zone that the zone database contains. */
export function isKnownZone(line: string): boolean {
  const id = tzidOf(line)
  return id !== undefined && knownZone(id) !== undefined
}

/** Returns the value of the property `TZID` in a content line; undefined for any other line. */
function tzidOf(line: string): string | undefined {
  const [, value] = /^TZID(?:;[^:]*)?:(.+)$/i.exec(line) ?? []
  return value === undefined ? undefined : unescaped(value)
}

/**
 * Returns a `TZID` without spaces around it and without escapes. The property `TZID` is text, whose commas are escaped,
 * and the parameter is not, so a name such as `(UTC+01:00) Amsterdam, Berlin` has two forms.
 */
function unescaped(tzid: string): string {
  return tzid.trim().replace(/\\([\\;,])/g, '$1')
}

/**
 * Returns the zone of the zone database with the name in a `TZID`, which may have a prefix such as
 * `/mozilla.org/20050126_1/`; undefined when there is none.
 */
function knownZone(id: string): string | undefined {
  if (!id.startsWith('/')) return isZone(id) ? id : undefined
  // The file may contain an identifier of any length, so it is split: a regular expression that is not anchored at the
  // start would take a time proportional to the square of the length.
  const parts = id.split('/')
  return [parts.slice(-3), parts.slice(-2)].map((last) => last.join('/')).find(isZone)
}

/** Converts a wall time, in seconds since 1970-01-01T00:00, to an ical.js time without a zone. */
function icalTime(wall: number): ICAL.Time {
  const days = Math.floor(wall / 86_400)
  const seconds = wall - days * 86_400
  const [year = 0, month = 0, day = 0] = dateText(days).split('-').map(Number)
  const [hour, minute, second] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  return ICAL.Time.fromData({ year, month, day, hour, minute, second, isDate: false }, ICAL.Timezone.localTimezone)
}
