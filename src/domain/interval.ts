/** A half-open stretch of time in Unix seconds: `start` is in, `end` is out; touching is not overlapping. */
export interface Interval {
  readonly start: number
  readonly end: number
}
