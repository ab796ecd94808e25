/** The day from which `dayOf` counts. */
export const epoch = Temporal.PlainDate.from('1970-01-01')

interface Stretch {
  from: number
  until: number
  offset: number
  /** The last day shown before. */
  before: number
}

const stretches = new Map<string, Stretch[]>()
let asked = 0

/**
 * Returns the local day of an instant, counted from 1970; where a clock is set back over midnight, the day that had
 * begun. Temporal is called once per interval without a clock change.
 */
export function dayOf(instant: number, zone: string): number {
  const [latest] = stretches.get(zone) ?? []
  const near = latest && latest.from <= instant && instant < latest.until
  const found = near ? latest : stretchAt(instant, zone)
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

function stretchAt(instant: number, zone: string): Stretch {
  const known = stretches.get(zone) ?? []
  const found = known.find((one) => one.from <= instant && instant < one.until) ?? readStretch(instant, zone)
  // The most recent one first.
  stretches.set(zone, [found, ...known.filter((one) => one !== found).slice(0, 20)])
  return found
}

function readStretch(instant: number, zone: string): Stretch {
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
