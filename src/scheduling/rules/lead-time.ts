import type { EffectiveSettings } from '../../catalogue/services/service.ts'
import { message } from '../../messages/message.ts'
import type { SlotSource } from '../listing/slot-source.ts'
import { type Starts, withStarts } from '../listing/starts.ts'
import { lowerBound } from '../time/lower-bound.ts'
import { readableWallTime } from '../time/zone.ts'
import {
  allowed,
  type Dependencies,
  type RuleCase,
  type RuleQuestion,
  refused,
  settingOf,
  type Verdict,
} from './rule.ts'

/**
 * Returns the earliest instant (Unix seconds) at which a slot may start: now plus the lead time, the minimum notice for
 * a booking.
 */
export function earliestStart({ leadTime }: EffectiveSettings, now: number): number {
  return now + leadTime
}

/**
 * Requires that the time from now until the start of a slot is at least the lead time, the minimum notice for a
 * booking.
 */
export function filter(starts: Starts, { slotSource, now }: RuleQuestion): Starts {
  const first = lowerBound(starts.starts, earliestStart(slotSource.rule, now))
  return first === 0 ? starts : withStarts(starts, starts.starts.slice(first))
}

export function verdict(slot: RuleCase): Verdict {
  const earliest = earliestStart(slot.slotSource.rule, slot.now)
  const setting = settingOf(slot, 'leadTimeMinutes')
  // Starts are on whole minutes, so the first of them is the next one.
  const text = readableWallTime(slot.provider.timezone, Math.ceil(earliest / 60) * 60)
  return slot.wanted.start >= earliest
    ? allowed(setting, earliest, message('rule_lead_time', { time: text }))
    : refused(setting, earliest, 'slot_lead_time', message('slot_lead_time', { time: text }))
}

export function dependsOn({ rule }: SlotSource): Dependencies {
  return { clock: rule.leadTime }
}
