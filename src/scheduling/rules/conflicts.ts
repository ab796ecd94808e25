import type { EffectiveSettings } from '../../catalogue/services/service.ts'
import type { SlotSource, SourceMember } from '../listing/slot-source.ts'
import type { TimeRows } from '../plan/occupancy.ts'
import type { Interval } from '../time/interval.ts'
import type { Dependencies } from './rule.ts'

/** Returns the time of one provider that an appointment needs, including the buffers before and after it. */
export function neededTime({ rule }: SourceMember, { start, end }: Interval): Interval {
  return { start: start - rule.bufferBefore, end: end + rule.bufferAfter }
}

/**
 * Returns the starts whose appointment and buffers overlap no row, or for which `allows` returns true; the same array
 * when all remain. The argument `row` of `allows` is the first row that ends after the start of the buffer before the
 * appointment. Starts and rows are ascending, so one pass over both suffices.
 */
export function withoutConflicts<Mark>(
  starts: readonly number[],
  rows: TimeRows<Mark>,
  { duration, bufferBefore, bufferAfter }: EffectiveSettings,
  allows: (start: number, row: number) => boolean,
): readonly number[] {
  const { starts: rowStarts, ends: rowEnds, first, after } = rows
  const needed = duration + bufferAfter
  let index = 0
  // A copy of `starts` once a start is removed, of which the first `length` elements remain.
  let kept: number[] | undefined
  let length = 0
  // One pass over the rows, which skips the starts before each row. These loops determine the speed of the scheduling
  // rules (benchmarks P1 and P2 in docs/benchmarks.md).
  for (let row = first; row < after && index < starts.length; row += 1) {
    const before = (rowStarts[row] ?? 0) - needed
    const end = (rowEnds[row] ?? 0) + bufferBefore
    for (; index < starts.length; index += 1) {
      const start = starts[index] ?? 0
      if (start >= end) break
      if (start > before && !allows(start, row)) {
        kept ??= starts.slice()
        continue
      }
      if (kept) kept[length] = start
      length += 1
    }
  }
  if (!kept) return starts
  kept.copyWithin(length, index)
  kept.length = length + starts.length - index
  return kept
}

/**
 * Returns the dependencies of a rule that reads occupied or blocked time: of all providers whose time a slot occupies,
 * the longest buffer before an appointment, and the longest duration together with the buffer after it.
 */
export function timeDependencies({ members }: Pick<SlotSource, 'members'>): Required<Pick<Dependencies, 'time'>> {
  const before = Math.max(...members.map(({ rule }) => rule.bufferBefore))
  const after = Math.max(...members.map(({ rule }) => rule.duration + rule.bufferAfter))
  return { time: { before, after } }
}
