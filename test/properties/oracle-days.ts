/** The date from which `dayOf` counts days. */
export const epoch = Temporal.PlainDate.from('1970-01-01')

interface OffsetInterval {
  from: number
  until: number
  offset: number
  /** The last local date before the interval, in days since 1970. */
  before: number
}

const intervals = new Map<string, OffsetInterval[]>()
let asked = 0

/**
 * Returns the local date of an instant as the number of days since 1970-01-01. After a clock was set back over
 * midnight, the later date still applies. Temporal is called once per interval between two clock changes, and to check
 * every 97th result.
 */
export function dayOf(instant: number, zone: string): number {
  const [latest] = intervals.get(zone) ?? []
  const near = latest && latest.from <= instant && instant < latest.until
  const found = near ? latest : intervalAt(instant, zone)
  const day = Math.floor((instant + found.offset) / (24 * 60 * 60))
  asked += 1
  if (
    asked % 97 === 0 &&
    !zoned(instant, zone)
      .toPlainDate()
      .equals(epoch.add({ days: day }))
  )
    throw new Error(`The oracle has a wrong day in ${zone} at ${instant}.`)
  return Math.max(day, found.before)
}

function intervalAt(instant: number, zone: string): OffsetInterval {
  const known = intervals.get(zone) ?? []
  const found = known.find((one) => one.from <= instant && instant < one.until) ?? readInterval(instant, zone)
  // The most recently used interval comes first, where `dayOf` tries it first.
  intervals.set(zone, [found, ...known.filter((one) => one !== found).slice(0, 20)])
  return found
}

function readInterval(instant: number, zone: string): OffsetInterval {
  const there = zoned(instant, zone)
  const next = there.getTimeZoneTransition('next')
  const begin = there.add({ nanoseconds: 1 }).getTimeZoneTransition('previous')
  return {
    from: begin ? begin.epochMilliseconds / 1000 : Number.NEGATIVE_INFINITY,
    until: next ? next.epochMilliseconds / 1000 : Number.POSITIVE_INFINITY,
    offset: there.offsetNanoseconds / 1e9,
    before: begin ? epoch.until(begin.subtract({ nanoseconds: 1 }).toPlainDate()).days : Number.NEGATIVE_INFINITY,
  }
}

function zoned(instant: number, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant * 1000).toZonedDateTimeISO(zone)
}
