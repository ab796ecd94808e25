/** A half-open interval in Unix seconds: `start` is in, `end` is out; touching is not overlapping. */
export interface Interval {
  readonly start: number
  readonly end: number
}

/** Whether an instant lies in an interval. */
export function contains({ start, end }: Interval, instant: number): boolean {
  return start <= instant && instant < end
}

/** The instants that two intervals share; an interval that ends before it starts has none. */
export function intersection(one: Interval, other: Interval): Interval {
  return { start: Math.max(one.start, other.start), end: Math.min(one.end, other.end) }
}

/** Whether two intervals share an instant. */
export function overlaps(one: Interval, other: Interval): boolean {
  return one.start < other.end && other.start < one.end
}
