import type { Interval } from './interval.ts'

/**
 * Returns for each day the number of seconds that the windows cover; overlapping seconds count once. Days and windows
 * are ascending by start.
 */
export function coveredSeconds(days: readonly Interval[], windows: readonly Interval[]): number[] {
  const apart = merged(windows)
  let first = 0
  return days.map(({ start, end }) => {
    // A window that ends before this day begins covers no later day either.
    while ((apart[first]?.end ?? Number.POSITIVE_INFINITY) <= start) first += 1
    let seconds = 0
    for (let at = first; ; at += 1) {
      const window = apart[at]
      if (!window || window.start >= end) return seconds
      seconds += Math.min(end, window.end) - Math.max(start, window.start)
    }
  })
}

function merged(windows: readonly Interval[]): Interval[] {
  const apart: Interval[] = []
  for (const { start, end } of windows) {
    const last = apart.at(-1)
    if (last && start <= last.end) apart[apart.length - 1] = { start: last.start, end: Math.max(last.end, end) }
    else apart.push({ start, end })
  }
  return apart
}
