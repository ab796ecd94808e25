/**
 * A half-open interval [start, end), in Unix seconds unless stated otherwise; intervals that only touch do not overlap.
 */
export interface Interval {
  readonly start: number
  readonly end: number
}

/** Whether an interval contains an instant. */
export function contains({ start, end }: Interval, instant: number): boolean {
  return start <= instant && instant < end
}

/** Returns the intersection of two intervals; when they do not overlap, its end is not after its start. */
export function intersection(one: Interval, other: Interval): Interval {
  return { start: Math.max(one.start, other.start), end: Math.min(one.end, other.end) }
}

/** Whether two intervals overlap. */
export function overlaps(one: Interval, other: Interval): boolean {
  return one.start < other.end && other.start < one.end
}
