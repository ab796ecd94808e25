/** A half-open interval in Unix seconds: `start` is in, `end` is out; touching is not overlapping. */
export interface Interval {
  readonly start: number
  readonly end: number
}

/** Whether an interval contains an instant. */
export function contains({ start, end }: Interval, instant: number): boolean {
  return start <= instant && instant < end
}

/**
 * Returns the part that two intervals have in common; when they do not overlap, the end of the result is not after its
 * start.
 */
export function intersection(one: Interval, other: Interval): Interval {
  return { start: Math.max(one.start, other.start), end: Math.min(one.end, other.end) }
}

/** Whether two intervals overlap. */
export function overlaps(one: Interval, other: Interval): boolean {
  return one.start < other.end && other.start < one.end
}
