import { message } from '../../messages/message.ts'
import type { Starts } from '../listing/starts.ts'
import { blockedBy, filterBlocked } from './blocked-time.ts'
import { allowed, type RuleCase, type RuleQuestion, refused, type Verdict } from './rule.ts'

export { timeDependencies as dependsOn } from './conflicts.ts'

/** Requires that an appointment and its buffers overlap no time off of the slot's providers. */
export function filter(starts: Starts, question: RuleQuestion): Starts {
  return filterBlocked(starts, question, 'time_off')
}

export function verdict(slot: RuleCase): Verdict {
  const found = blockedBy(slot, 'time_off')
  return found
    ? refused('provider.timeOff', found, 'slot_closed', message('slot_time_off'))
    : allowed('provider.timeOff', null, message('rule_time_off'))
}
