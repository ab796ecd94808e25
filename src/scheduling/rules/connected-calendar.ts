import { message } from '../../messages/message.ts'
import type { Starts } from '../listing/starts.ts'
import { blockedBy, filterBlocked } from './blocked-time.ts'
import { allowed, type RuleCase, type RuleQuestion, refused, type Verdict } from './rule.ts'

export { timeDependencies as dependsOn } from './conflicts.ts'

/**
 * Requires that an appointment and its buffers overlap no busy time of a calendar that the slot's providers connected, and
 * that the last read of each of these calendars is recent and covers this time.
 */
export function filter(starts: Starts, question: RuleQuestion): Starts {
  return filterBlocked(filterBlocked(starts, question, 'calendar'), question, 'calendar_unread')
}

export function verdict(slot: RuleCase): Verdict {
  const unread = blockedBy(slot, 'calendar_unread')
  if (unread) return refused('provider.calendars', null, 'slot_calendar_busy', message('slot_calendar_unread'))
  const found = blockedBy(slot, 'calendar')
  return found
    ? refused('provider.calendars', found, 'slot_calendar_busy', message('slot_calendar_busy'))
    : allowed('provider.calendars', null, message('rule_calendar'))
}
