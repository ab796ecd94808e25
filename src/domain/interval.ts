/** A half-open stretch of time in Unix seconds: `start` is in, `end` is out; touching is not overlapping. */
export interface Interval {
  readonly start: number
  readonly end: number
}

/** Whether two stretches share an instant. */
export function overlaps(one: Interval, other: Interval): boolean {
  return one.start < other.end && other.start < one.end
}

/** The same time, sorted, without overlaps; `sorted` rises by start and is returned itself when nothing overlaps. */
export function union(sorted: readonly Interval[]): readonly Interval[] {
  let apart = true
  let previous = Number.NEGATIVE_INFINITY
  for (const { start, end } of sorted) {
    apart &&= start >= previous
    previous = end
  }
  if (apart) return sorted
  const merged: Interval[] = []
  for (const next of sorted) {
    const last = merged.at(-1)
    if (last && next.start < last.end)
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, next.end) }
    else merged.push(next)
  }
  return merged
}
