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
 * Returns the latest instant (Unix seconds) at which a slot may start: now plus the horizon, the time for which slots
 * can be booked in advance.
 */
export function latestStart({ horizon }: EffectiveSettings, now: number): number {
  return now + horizon
}

/**
 * Requires that the time from now until the start of a slot does not exceed the horizon, the longest time for which
 * slots can be booked in advance.
 */
export function filter(starts: Starts, { slotSource, now }: RuleQuestion): Starts {
  const end = lowerBound(starts.starts, latestStart(slotSource.rule, now) + 1)
  return end === starts.starts.length ? starts : withStarts(starts, starts.starts.slice(0, end))
}

export function verdict(slot: RuleCase): Verdict {
  const latest = latestStart(slot.slotSource.rule, slot.now)
  const setting = settingOf(slot, 'horizonDays')
  // Starts are on whole minutes, so the last of them is the one before.
  const text = readableWallTime(slot.provider.timezone, Math.floor(latest / 60) * 60)
  return slot.wanted.start <= latest
    ? allowed(setting, latest, message('rule_horizon', { time: text }))
    : refused(setting, latest, 'slot_horizon', message('slot_horizon', { time: text }))
}

export function dependsOn({ rule }: SlotSource): Dependencies {
  return { clock: rule.horizon + 1 }
}
