import { isOpen } from './opening-hours.ts'
import type { BookingIndex } from './plan/booking-index.ts'
import { seatsOf, slotKey, type TakenTimes, TimeColumns } from './plan/occupancy.ts'
import type { Plan, RequestedSlot, RuleName } from './plan/plan.ts'
import type { ResourceName } from './plan/resource.ts'
import { caseOf, firstRefusal } from './rules/rule-case.ts'

/**
 * The rules that an existing reservation can break after a change of hours, holidays, time off, capacity, restrictions
 * or services. Limits, lead time and horizon apply to new reservations only; occupancy and calendars are not checked.
 */
export const conflictRules = [
  'service_active',
  'provider_eligible',
  'opening_hours',
  'time_off',
  'capacity',
] as const satisfies readonly RuleName[]

/** A rule that an existing reservation can break. */
export type ConflictRule = (typeof conflictRules)[number]

/**
 * Returns the rules that would refuse an existing reservation its slot; none when its service or provider was removed.
 * The loaded data (`plan`) contains the reservation, whose own seat is not counted. A slot off the grid or of unusual
 * length is no conflict if it lies within the opening hours. `doubled` is the number of the slot's other seats that
 * staff deliberately booked above its capacity; they are not counted either.
 */
export function conflictsOf(
  plan: Plan,
  bookingIndex: BookingIndex,
  slot: RequestedSlot,
  { now, doubled }: { readonly now: number; readonly doubled: number },
): ConflictRule[] {
  const others = withOtherSeats(plan, slot, doubled)
  const about = caseOf(others, bookingIndex, slot, now)
  if (!about) return []
  const { members } = about.slotSource
  return conflictRules.filter((rule) => {
    if (!firstRefusal(about, [rule])) return false
    return rule !== 'opening_hours' || !members.every(({ provider }) => isOpen(provider, plan.holidays, slot))
  })
}

/**
 * Returns the loaded data (`plan`) with the seats of one slot as its only occupied time, less the reservation's own
 * seat and `doubled` seats.
 */
function withOtherSeats(plan: Plan, slot: RequestedSlot, doubled: number): Plan {
  const occupied = new Map<ResourceName, TakenTimes>()
  for (const [resource, times] of plan.occupied) {
    const others = seatsOf(times, slot) - 1 - doubled
    if (others < 1) continue
    const columns = new TimeColumns<string>(1)
    columns.add(slot.start, slot.end, slotKey(slot.serviceId, slot.start, slot.end), others)
    occupied.set(resource, columns.since(0))
  }
  return { ...plan, occupied }
}
