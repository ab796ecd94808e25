import { timesOf } from '../listing/slot-source.ts'
import { type Starts, withStarts } from '../listing/starts.ts'
import { type Blocked, firstWithin, hasMark } from '../plan/occupancy.ts'
import type { Interval } from '../time/interval.ts'
import { neededTime, withoutConflicts } from './conflicts.ts'
import type { RuleCase, RuleQuestion } from './rule.ts'

/** Removes the starts whose appointment or buffers overlap blocked time with the given `source`, such as time off. */
export function filterBlocked(starts: Starts, { slotSource, plan }: RuleQuestion, source: Blocked['source']): Starts {
  let kept = starts.starts
  for (const member of slotSource.members) {
    const { blocked } = timesOf(member, plan)
    const { starts: blockStarts, ends, marks, after } = blocked
    if (!hasMark(blocked, source)) continue
    const { duration, bufferBefore, bufferAfter } = member.rule
    kept = withoutConflicts(kept, blocked, member.rule, (start, row) => {
      const until = start + duration + bufferAfter
      for (let next = row; next < after && (blockStarts[next] ?? 0) < until; next += 1)
        if (marks[next] === source && (ends[next] ?? 0) > start - bufferBefore) return false
      return true
    })
  }
  return kept === starts.starts ? starts : withStarts(starts, kept)
}

/**
 * Returns the first blocked time with the given `source`, such as time off, that overlaps the appointment or its
 * buffers; undefined when there is none.
 */
export function blockedBy({ slotSource, plan, wanted }: RuleCase, source: Blocked['source']): Interval | undefined {
  for (const member of slotSource.members) {
    const found = firstWithin(timesOf(member, plan).blocked, neededTime(member, wanted), source)
    if (found) return found
  }
  return undefined
}
