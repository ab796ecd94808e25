import type { EffectiveSettings } from '../../catalogue/services/service.ts'
import { type BookingIndex, countsOf } from '../plan/booking-index.ts'
import type { Plan, SlotWindow } from '../plan/plan.ts'
import { latestStart } from '../rules/horizon.ts'
import { earliestStart } from '../rules/lead-time.ts'
import { filterOrder } from '../rules/rules.ts'
import type { Interval } from '../time/interval.ts'
import { lowerBound } from '../time/lower-bound.ts'
import type { SlotSource } from './slot-source.ts'
import { noStarts, type Starts } from './starts.ts'

/** The starts at which a slot source can be booked. */
export interface Openings extends Starts {
  /** The number of reservations of exactly each slot, by start; starts without any are absent. */
  readonly reserved: ReadonlyMap<number, number>
  /** The last start that only the lead time removes, and the first that only the horizon does; infinite if none. */
  readonly tooSoon: number
  readonly tooFar: number
}

const never = Number.POSITIVE_INFINITY

/** Every start of the slot source in the question's window that no rule refuses. */
export function openingsOf(
  slotSource: SlotSource,
  plan: Plan,
  bookingIndex: BookingIndex,
  { from, until, now }: SlotWindow,
): Openings {
  return openingsAt(timelessOpenings(slotSource, plan, bookingIndex, { start: from, end: until }), slotSource.rule, now)
}

/** Every start of the slot source in an interval that no rule refuses, but for the rules that depend on the clock. */
export function timelessOpenings(
  slotSource: SlotSource,
  plan: Plan,
  bookingIndex: BookingIndex,
  within: Interval,
): Openings {
  const question = { plan, bookingIndex, slotSource, within, now: 0 }
  let open = noStarts
  for (const rule of filterOrder) if (rule.dependsOn(slotSource).clock === undefined) open = rule.filter(open, question)
  const { serviceId, providerId, duration } = slotSource.rule
  const reserved = countsOf(bookingIndex.ofBoth(serviceId, providerId), open.starts, duration)
  const { starts, overrides, full } = open
  return { starts, overrides, full, reserved, tooSoon: -never, tooFar: never }
}

/** The openings that lead time and horizon allow at `now`, and the nearest starts that they do not. */
export function openingsAt(ever: Openings, settings: EffectiveSettings, now: number): Openings {
  const { starts: all, overrides, full, reserved } = ever
  const [earliest, latest] = [earliestStart(settings, now), latestStart(settings, now)]
  // Of most days all or none.
  if (all.length === 0 || ((all[0] ?? 0) >= earliest && (all[all.length - 1] ?? 0) <= latest)) return ever
  const first = lowerBound(all, earliest)
  const after = lowerBound(all, latest + 1)
  const starts = all.slice(first, after)
  return { starts, overrides, full, reserved, tooSoon: all[first - 1] ?? -never, tooFar: all[after] ?? never }
}

/** The openings that start within an interval; `overrides`, `full` and `reserved` are shared with the argument. */
export function openingsWithin(ever: Openings, { start, end }: Interval): Openings {
  return { ...ever, starts: ever.starts.slice(lowerBound(ever.starts, start), lowerBound(ever.starts, end)) }
}
