import type { Interval } from './interval.ts'

/**
 * Returns for each day the number of seconds that the windows cover; overlapping seconds count once. Days and windows
 * are ascending by start.
 */
export function coveredSeconds(days: readonly Interval[], windows: readonly Interval[]): number[] {
  const apart = merged(windows)
  return days.map((day) =>
    apart.reduce(
      (sum, window) => sum + Math.max(0, Math.min(day.end, window.end) - Math.max(day.start, window.start)),
      0,
    ),
  )
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
