import { message } from '../../messages/message.ts'
import { timesOf } from '../listing/slot-source.ts'
import { type Starts, withStarts } from '../listing/starts.ts'
import { seatsOf } from '../plan/occupancy.ts'
import { withoutConflicts } from './conflicts.ts'
import { allowed, type RuleCase, type RuleQuestion, refused, settingOf, type Verdict } from './rule.ts'

export { timeDependencies as dependsOn } from './conflicts.ts'

/**
 * Requires a free seat with each provider of a slot. Where the site lists full slots, a full slot with more than one
 * seat remains in the list, marked as full.
 */
export function filter(starts: Starts, { slotSource, plan }: RuleQuestion): Starts {
  const { members } = slotSource
  const { overrides } = starts
  // An override with capacity 0 leaves no seat, even when nothing is booked.
  const full = new Set<number>()
  for (const [start, { capacity }] of overrides) if (capacity === 0) full.add(start)
  for (const member of members) {
    const { occupied } = timesOf(member, plan)
    const { serviceId, duration, capacity } = member.rule
    withoutConflicts(starts.starts, occupied, member.rule, (start, row) => {
      const seats = seatsOf(occupied, { serviceId, start, end: start + duration }, row)
      if (seats >= (overrides.get(start)?.capacity ?? capacity)) full.add(start)
      return true
    })
  }
  if (full.size === 0) return starts
  const fewest = Math.min(...members.map(({ rule }) => rule.capacity))
  const listed = (start: number) => plan.listFullSlots && (overrides.get(start)?.capacity ?? fewest) > 1
  const kept = starts.starts.filter((start) => !full.has(start) || listed(start))
  return withStarts({ ...starts, full }, kept)
}

export function verdict(slot: RuleCase): Verdict {
  const { slotSource, overrides, plan, wanted } = slot
  const override = slot.window?.isCalendar ? 'provider.calendars' : 'provider.overrides.slot.capacity'
  const setting = overrides.capacity === undefined ? settingOf(slot, 'capacity') : override
  const seats = slotSource.members.map((member) => ({
    taken: seatsOf(timesOf(member, plan).occupied, wanted),
    capacity: overrides.capacity ?? member.rule.capacity,
  }))
  const value = seats.reduce((one, other) => (other.capacity - other.taken < one.capacity - one.taken ? other : one))
  return value.taken < value.capacity
    ? allowed(setting, value, message('rule_capacity'))
    : refused(setting, value, 'slot_full', message('slot_seats_taken'))
}
