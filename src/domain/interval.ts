/** A half-open stretch of time in Unix seconds: `start` is in, `end` is out; touching is not overlapping. */
export interface Interval {
  readonly start: number
  readonly end: number
}

/** Whether two stretches share an instant. */
export function overlaps(one: Interval, other: Interval): boolean {
  return one.start < other.end && other.start < one.end
}
