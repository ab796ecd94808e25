import type { EffectiveSettings } from '../../catalogue/services/service.ts'
import { type BookingIndex, countsOf, noCounts } from '../plan/booking-index.ts'
import type { Plan, SlotWindow } from '../plan/plan.ts'
import { latestStart } from '../rules/horizon.ts'
import { earliestStart } from '../rules/lead-time.ts'
import { filterOrder } from '../rules/rules.ts'
import type { Interval } from '../time/interval.ts'
import { lowerBound } from '../time/lower-bound.ts'
import type { SlotSource } from './slot-source.ts'
import { noStarts, type Starts } from './starts.ts'

/**
 * The starts of the listed slots of a slot source (one provider, or all providers of a collective service): those that
 * can be booked, and those of full slots that the site lists.
 */
export interface Openings extends Starts {
  /** How many reservations each slot has, by its start; starts without reservations are absent. */
  readonly reserved: ReadonlyMap<number, number>
  /**
   * The starts of the opening hours' grid in the period of `starts`, including those that other rules refuse. Lead time
   * and horizon limit the grid whenever they limit `starts`.
   */
  readonly grid: readonly number[]
}

/** A slot source (one provider, or all providers of a collective service) with the starts of its listed slots. */
export interface OpenSource {
  readonly slotSource: SlotSource
  readonly openings: Openings
}

// `openingsAt` applies lead time and horizon, the only rules that depend on the current time.
const timelessRules = filterOrder.filter(({ name }) => name !== 'lead_time' && name !== 'horizon')

/**
 * Returns the starts of the slots to list for one provider, or for all providers of a collective service, in the window
 * of a query, after applying every rule.
 */
export function openingsOf(
  slotSource: SlotSource,
  plan: Plan,
  bookingIndex: BookingIndex,
  { from, until, now }: SlotWindow,
): Openings {
  return openingsAt(timelessOpenings(slotSource, plan, bookingIndex, { start: from, end: until }), slotSource.rule, now)
}

/**
 * Returns the starts of the slots to list in an interval after applying every rule except lead time and horizon, which
 * depend on the present time. The result can therefore be cached, and remains valid as time passes.
 */
export function timelessOpenings(
  slotSource: SlotSource,
  plan: Plan,
  bookingIndex: BookingIndex,
  within: Interval,
): Openings {
  const question = { plan, bookingIndex, slotSource, within, now: 0 }
  let open = noStarts
  let grid: readonly number[] | undefined
  for (const rule of timelessRules) {
    open = rule.filter(open, question)
    grid ??= open.starts
    // On a day without opening hours, the other rules need not read what is booked.
    if (open.starts.length === 0) return { ...open, reserved: noCounts, grid }
  }
  const { serviceId, providerId, duration } = slotSource.rule
  const reserved = countsOf(bookingIndex.ofBoth(serviceId, providerId), open.starts, duration)
  const { starts, overrides, full } = open
  return { starts, overrides, full, reserved, grid: grid ?? [] }
}

/** Returns those of the listed starts that lead time and horizon allow at `now`. */
export function openingsAt(ever: Openings, settings: EffectiveSettings, now: number): Openings {
  return openingsWithin(ever, { start: earliestStart(settings, now), end: latestStart(settings, now) + 1 })
}

/**
 * Returns those of the listed starts that lie within an interval. The result shares `overrides`, `full` and `reserved`
 * with the argument, so they may contain starts outside of the interval.
 */
export function openingsWithin(ever: Openings, within: Interval): Openings {
  const { starts, grid } = ever
  // The grid contains every start, so that its first and last start tell whether anything is outside of the interval.
  const [first, last] = [grid[0], grid.at(-1)]
  if (first === undefined || last === undefined || (first >= within.start && last < within.end)) return ever
  return { ...ever, starts: cut(starts, within), grid: cut(grid, within) }
}

function cut(starts: readonly number[], { start, end }: Interval): readonly number[] {
  return starts.slice(lowerBound(starts, start), lowerBound(starts, end))
}
