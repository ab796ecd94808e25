import { message } from '../../messages/message.ts'
import { timesOf } from '../listing/slot-source.ts'
import { type Starts, withStarts } from '../listing/starts.ts'
import { firstWithin, seatsOf } from '../plan/occupancy.ts'
import { neededTime, withoutConflicts } from './conflicts.ts'
import { allowed, type RuleCase, type RuleQuestion, refused, type Verdict } from './rule.ts'

export { timeDependencies as dependsOn } from './conflicts.ts'

/**
 * Requires that an appointment and its buffers overlap no time occupied by another slot. A slot that already has seats
 * shares its time with them and only needs a free seat.
 */
export function filter(starts: Starts, { slotSource, plan }: RuleQuestion): Starts {
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
  return kept === starts.starts ? starts : withStarts(starts, kept)
}

export function verdict({ slotSource, plan, wanted }: RuleCase): Verdict {
  for (const member of slotSource.members) {
    const { occupied } = timesOf(member, plan)
    const found = firstWithin(occupied, neededTime(member, wanted))
    if (found && seatsOf(occupied, wanted) === 0)
      return refused('reservations', found, 'slot_provider_busy', message('slot_provider_busy'))
  }
  return allowed('reservations', null, message('rule_occupancy'))
}
