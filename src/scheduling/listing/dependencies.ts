import { rules } from '../rules/rules.ts'
import type { Interval } from '../time/interval.ts'
import { lowerBound } from '../time/lower-bound.ts'
import type { SlotSource } from './slot-source.ts'

/** What the verdicts of all rules together depend on, for the slots of one source; see `Dependencies`. */
export interface SourceDependencies {
  readonly clocks: readonly number[]
  readonly before: number
  readonly after: number
  /** How reservations affect the verdicts; undefined when no rule counts reservations. */
  readonly reservations: { readonly margin: number; readonly ofAllProviders: boolean } | undefined
}

/** Combines what each rule depends on for the slots of one source. */
export function dependenciesOf(slotSource: SlotSource): SourceDependencies {
  const all = rules.map((rule) => rule.dependsOn(slotSource))
  const counted = all.flatMap(({ reservations }) => reservations ?? [])
  return {
    clocks: all.flatMap(({ clock }) => clock ?? []),
    before: Math.max(0, ...all.map(({ time }) => time?.before ?? 0)),
    after: Math.max(0, ...all.map(({ time }) => time?.after ?? 0)),
    reservations:
      counted.length === 0
        ? undefined
        : {
            margin: Math.max(...counted.map(({ margin }) => margin)),
            ofAllProviders: counted.some(({ ofAllProviders }) => ofAllProviders),
          },
  }
}

/**
 * Returns the interval around `now` in which no clock-dependent verdict on these starts changes; `starts` is ascending.
 */
export function clockValidity(starts: ArrayLike<number>, clocks: readonly number[], now: number): Interval {
  let [start, end] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (const clock of clocks) {
    // The answer for a start changes when the current time exceeds `start - clock`.
    const next = lowerBound(starts, now + clock)
    const last = starts[next - 1]
    const first = starts[next]
    if (last !== undefined) start = Math.max(start, last - clock + 1)
    if (first !== undefined) end = Math.min(end, first - clock + 1)
  }
  return { start, end }
}
