import { message } from '../../messages/message.ts'
import { timesOf } from '../listing/slot-source.ts'
import { type Starts, withStarts } from '../listing/starts.ts'
import { firstWithin, seatsOf } from '../plan/occupancy.ts'
import { blockedBy, filterBlocked } from './blocked-time.ts'
import { neededTime, withoutConflicts } from './conflicts.ts'
import { allowed, type RuleCase, type RuleQuestion, refused, type Verdict } from './rule.ts'

export { timeDependencies as dependsOn } from './conflicts.ts'

/**
 * Requires that an appointment and its buffers overlap no time occupied by another slot. A slot of which seats are taken
 * may be booked again while seats are free, which the rule `capacity` checks. Deliberate double bookings on the overflow
 * resource count as occupied time for every slot.
 */
export function filter(starts: Starts, question: RuleQuestion): Starts {
  const { slotSource, plan } = question
  let kept = starts.starts
  for (const member of slotSource.members) {
    const { occupied } = timesOf(member, plan)
    const { serviceId, duration } = member.rule
    kept = withoutConflicts(
      kept,
      occupied,
      member.rule,
      (start, row) => seatsOf(occupied, { serviceId, start, end: start + duration }, row) > 0,
    )
  }
  const free = kept === starts.starts ? starts : withStarts(starts, kept)
  return filterBlocked(free, question, 'overflow')
}

export function verdict(slot: RuleCase): Verdict {
  const { slotSource, plan, wanted } = slot
  for (const member of slotSource.members) {
    const { occupied } = timesOf(member, plan)
    const found = firstWithin(occupied, neededTime(member, wanted))
    if (found && seatsOf(occupied, wanted) === 0)
      return refused('reservations', found, 'slot_provider_busy', message('slot_provider_busy'))
  }
  const doubled = blockedBy(slot, 'overflow')
  if (doubled) return refused('reservations', doubled, 'slot_provider_busy', message('slot_provider_busy'))
  return allowed('reservations', null, message('rule_occupancy'))
}
