import type { SlotOverrides } from '../../catalogue/providers/provider.ts'
import type { EffectiveSettings } from '../../catalogue/services/service.ts'
import { message } from '../../messages/message.ts'
import { windowsOf } from '../listing/slot-source.ts'
import { noStarts, type Starts } from '../listing/starts.ts'
import { isEmpty, openDayAt, overridesWithin, type Window } from '../opening-hours.ts'
import type { Interval } from '../time/interval.ts'
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
 * Lists the starts on the grids of the opening windows: a slot lies within one window and starts a whole number of
 * intervals after the window's start. This filter runs first and ignores the starts that it is given; the other filters
 * remove starts from its result.
 */
export function filter(_: Starts, { plan, slotSource, within }: RuleQuestion): Starts {
  const { interval, duration } = slotSource.rule
  const starts: number[] = []
  let overrides: Map<number, SlotOverrides> | undefined
  for (const window of disjoint(windowsOf(slotSource, plan, within.start, within.end), slotSource.rule)) {
    const last = Math.min(window.end - duration, within.end - 1)
    const skipped = window.start < within.start ? Math.ceil((within.start - window.start) / interval) : 0
    const first = window.start + skipped * interval
    for (let start = first; start <= last; start += interval) starts.push(start)
    if (isEmpty(window.overrides)) continue
    overrides ??= new Map()
    for (let start = first; start <= last; start += interval) overrides.set(start, window.overrides)
  }
  return { starts, overrides: overrides ?? noStarts.overrides, full: noStarts.full }
}

export function verdict(slot: RuleCase): Verdict {
  const { plan, slotSource, wanted, provider, window } = slot
  const { start, end } = wanted
  const { duration, interval } = slotSource.rule
  // A window past midnight belongs to the date on which it starts.
  const setting = window?.isCalendar
    ? 'provider.calendars'
    : openDayAt(provider, plan.holidays, window?.start ?? start).setting
  if (window) return allowed(setting, bounds(window), message('rule_opening_hours'))
  if (end - start !== duration)
    return refused(
      settingOf(slot, 'durationMinutes'),
      duration / 60,
      'slot_closed',
      message('slot_duration_differs', { minutes: duration / 60 }),
    )
  const open = windowsOf(slotSource, plan, start, start + 1)
  const value = open.map(bounds)
  if (!open.some((one) => one.start <= start && end <= one.end))
    return refused(setting, value, 'slot_closed', message('slot_closed'))
  const reason = message('slot_off_grid', { minutes: interval / 60 })
  return refused(settingOf(slot, 'intervalMinutes'), value, 'slot_closed', reason)
}

export function dependsOn(): Dependencies {
  return {}
}

/**
 * Returns the same windows if none of them overlap. Otherwise every start on their grids becomes a window of one slot,
 * in ascending order, and a start on two grids is listed once.
 */
function disjoint(windows: readonly Window[], { interval, duration }: EffectiveSettings): readonly Window[] {
  let previous = Number.NEGATIVE_INFINITY
  let overlap = false
  for (const { start, end } of windows) {
    overlap ||= start < previous
    previous = end
  }
  if (!overlap) return windows
  const starts = new Map<number, Window>()
  for (const window of windows)
    for (let { start } = window; start + duration <= window.end; start += interval) {
      const slot = { start, end: start + duration }
      if (!starts.has(start)) starts.set(start, { ...slot, overrides: overridesWithin(windows, slot, window) })
    }
  return [...starts.values()].sort((one, other) => one.start - other.start)
}

function bounds({ start, end }: Interval): Interval {
  return { start, end }
}
