import type { EffectiveSettings } from '../../catalogue/services/service.ts'
import type { SlotSource, SourceMember } from '../listing/slot-source.ts'
import type { TimeRows } from '../plan/occupancy.ts'
import type { Interval } from '../time/interval.ts'
import type { Dependencies } from './rule.ts'

const never = Number.POSITIVE_INFINITY

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
  const { starts: rowStarts, ends: rowEnds, after } = rows
  let row = rows.first
  if (row === after) return starts
  // Local variables hold the current row's start and end: this loop determines the speed of the scheduling rules
  // (benchmark P1 in docs/benchmarks.md).
  const needed = duration + bufferAfter
  let rowStart = rowStarts[row] ?? never
  let rowEnd = rowEnds[row] ?? never
  let kept: number[] | undefined
  for (let index = 0; index < starts.length; index += 1) {
    const start = starts[index] ?? 0
    while (rowEnd <= start - bufferBefore) {
      row += 1
      rowStart = row < after ? (rowStarts[row] ?? never) : never
      rowEnd = row < after ? (rowEnds[row] ?? never) : never
    }
    if (rowStart < start + needed && !allows(start, row)) kept ??= starts.slice(0, index)
    else kept?.push(start)
  }
  return kept ?? starts
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
