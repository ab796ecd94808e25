import { rules } from '../rules/rules.ts'
import type { Interval } from '../time/interval.ts'
import { lowerBound } from '../time/lower-bound.ts'
import type { SlotSource } from './slot-source.ts'

/**
 * What can change the slots of one provider, or of the providers of a collective service: the passing of time, occupied
 * and blocked time, and reservations. It combines the `Dependencies` of every rule: `clocks` contains each rule's
 * `clock`; `before` and `after` are the largest values of any rule's `time`.
 */
export interface SourceDependencies {
  readonly clocks: readonly number[]
  readonly before: number
  readonly after: number
  /**
   * The reservations that the rules count: those that start within `margin` seconds of the slot, of the slot's provider
   * only or, with `ofAllProviders`, of all providers; undefined when no rule counts reservations.
   */
  readonly reservations: { readonly margin: number; readonly ofAllProviders: boolean } | undefined
}

/**
 * Combines the dependencies of all rules for the slots of one provider, or of a collective service (with several
 * providers together). The margins of time around a slot (`before`, `after` and `margin`) are the largest of any rule.
 */
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
 * Returns the interval around `now` in which the passing of time alone changes no rule's decision whether one of
 * `starts` can be booked. `starts` is ascending; `clocks` are the `clock` values of the rules, in seconds.
 */
export function clockValidity(starts: ArrayLike<number>, clocks: readonly number[], now: number): Interval {
  let [start, end] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (const clock of clocks) {
    // The rule's decision on a start changes when the current time exceeds `start - clock`.
    const next = lowerBound(starts, now + clock)
    const last = starts[next - 1]
    const first = starts[next]
    if (last !== undefined) start = Math.max(start, last - clock + 1)
    if (first !== undefined) end = Math.min(end, first - clock + 1)
  }
  return { start, end }
}
