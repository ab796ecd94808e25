/** Converts between instants (Unix seconds) and wall times of one zone; dates are `YYYY-MM-DD`. */
export interface Clock {
  readonly zone: string
  /** The local date at an instant. */
  dateOf(at: number): string
  /** The wall time at an instant, in minutes after 00:00: 990 at 16:30, also on a day with a clock change. */
  minuteOf(at: number): number
  /**
   * The instant on a date at which the wall clock shows `minute` minutes after 00:00; the earlier instant when that
   * wall time occurs twice. Wall times skipped by a DST gap move forward by the length of the gap.
   */
  at(date: string, minute: number): number
  /** The wall time as `2026-11-21T16:30`, the value of a date-time field. */
  text(at: number): string
  /**
   * Converts a wall time, `2026-11-21T16:30`, to its instant and ignores text after the minutes; undefined for text
   * that does not begin in this form.
   */
  parse(text: string): number | undefined
}

/** Minutes in a day without a clock change. */
export const minutesOfDay = 1_440
const day = 86_400
const clocks = new Map<string, Clock>()

/** Returns the clock of an IANA time zone; each clock is created once and then cached. */
export function clockOf(zone: string): Clock {
  const known = clocks.get(zone) ?? makeClock(zone)
  clocks.set(zone, known)
  return known
}

function makeClock(zone: string): Clock {
  const offsetAt = offsetsOf(zone)
  const wallOf = (at: number): number => at + offsetAt(at)
  const instantOf = (wall: number): number => {
    const before = offsetAt(wall - day)
    const after = offsetAt(wall + day)
    // A wall time that occurs twice means the earlier instant; a wall time in a DST gap moves forward by the length of
    // the gap.
    if (before === after || offsetAt(wall - before) === before || offsetAt(wall - after) !== after) return wall - before
    return wall - after
  }
  const dateOf = (at: number): string => new Date(Math.floor(wallOf(at) / day) * day * 1000).toISOString().slice(0, 10)
  const minuteOf = (at: number): number => (((wallOf(at) % day) + day) % day) / 60
  const instantAt = (date: string, minute: number): number =>
    instantOf(Date.parse(`${date}T00:00:00Z`) / 1000 + minute * 60)
  return {
    zone,
    dateOf,
    minuteOf,
    at: instantAt,
    text: (at) => `${dateOf(at)}T${formatMinuteOfDay(minuteOf(at))}`,
    parse(text) {
      const [, date, hour, minute] = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)/.exec(text) ?? []
      return date === undefined ? undefined : instantAt(date, Number(hour) * 60 + Number(minute))
    },
  }
}

/**
 * Returns a function from instants to UTC offsets of a zone, in seconds. Offsets are cached at each UTC midnight; a
 * day whose two midnights have different offsets is looked up by instant.
 */
function offsetsOf(zone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const lookUp = (at: number): number => {
    const parts = new Map(format.formatToParts(at * 1000).map(({ type, value }) => [type, Number(value)]))
    const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0
    const date = [part('year'), part('month') - 1, part('day')] as const
    return Date.UTC(...date, part('hour'), part('minute'), part('second')) / 1000 - at
  }
  const known = new Map<number, number>()
  const atDay = (number: number): number => {
    const offset = known.get(number) ?? lookUp(number * day)
    known.set(number, offset)
    return offset
  }
  return (at) => {
    const number = Math.floor(at / day)
    const offset = atDay(number)
    return offset === atDay(number + 1) ? offset : lookUp(Math.floor(at))
  }
}

/** Formats minutes since midnight as `16:30`. */
export function formatMinuteOfDay(minute: number): string {
  const whole = Math.floor(minute)
  return `${String(Math.floor(whole / 60)).padStart(2, '0')}:${String(whole % 60).padStart(2, '0')}`
}
