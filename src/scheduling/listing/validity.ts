import type { Interval } from '../time/interval.ts'
import type { Openings } from './openings.ts'
import type { SlotSource } from './slot-source.ts'

/** Seconds of a day of UTC: nobody's date, only the pieces that a list of slots is kept in. */
export const dayLength = 86_400

/** A slot source with the starts at which it can be booked. */
export interface OpenSource {
  readonly slotSource: SlotSource
  readonly openings: Openings
}

interface Bounds {
  start: number
  end: number
}

/**
 * The stretch around `now` in which no slot of a day of UTC comes or goes by itself, as the lead time reaches it or the
 * horizon does; the slot sources' openings are of that day. May be shorter than it could be, never longer.
 */
export function validityOfDay(slotSources: readonly OpenSource[], day: number, now: number): Interval {
  const validity = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY }
  for (const { slotSource, openings } of slotSources) {
    const { leadTime, horizon } = slotSource.rule
    wholeDay(validity, day, slotSource, now)
    if (utcDayOf(now + leadTime) === day) atLeadTime(validity, slotSource, openings)
    if (utcDayOf(now + horizon) === day) atHorizon(validity, slotSource, openings)
  }
  return validity
}

/** The day of UTC around an instant. */
export function utcDayOf(instant: number): number {
  return Math.floor(instant / dayLength)
}

/** Bounds a day by when its first second is reached and its last is left. */
function wholeDay(bounds: Bounds, day: number, { rule: { leadTime, horizon } }: SlotSource, now: number): void {
  const start = day * dayLength
  const last = start + dayLength - 1
  if (now + leadTime <= start) narrow(bounds, bounds.start, start - leadTime + 1)
  else if (now + leadTime > last) narrow(bounds, last - leadTime + 1, bounds.end)
  if (now + horizon < start) narrow(bounds, bounds.start, start - horizon)
  else if (now + horizon >= last) narrow(bounds, last - horizon, bounds.end)
}

/** Bounds the day in which the lead time ends by the starts on either side of that end. */
function atLeadTime(bounds: Bounds, { rule: { leadTime } }: SlotSource, { starts, tooSoon }: Openings): void {
  const [first = Number.POSITIVE_INFINITY] = starts
  narrow(bounds, tooSoon - leadTime + 1, first - leadTime + 1)
}

function atHorizon(bounds: Bounds, { rule: { horizon } }: SlotSource, { starts, tooFar }: Openings): void {
  const last = starts.at(-1) ?? Number.NEGATIVE_INFINITY
  narrow(bounds, last - horizon, tooFar - horizon)
}

function narrow(bounds: Bounds, start: number, end: number): void {
  bounds.start = Math.max(bounds.start, start)
  bounds.end = Math.min(bounds.end, end)
}
