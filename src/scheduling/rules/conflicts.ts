import type { EffectiveSettings } from '../../catalogue/services/service.ts'
import type { SlotSource, SourceMember } from '../listing/slot-source.ts'
import type { TimeRows } from '../plan/occupancy.ts'
import type { Interval } from '../time/interval.ts'
import type { Dependencies } from './rule.ts'

const never = Number.POSITIVE_INFINITY

/** The time that an appointment needs of one member: buffers included. */
export function neededTime({ rule }: SourceMember, { start, end }: Interval): Interval {
  return { start: start - rule.bufferBefore, end: end + rule.bufferAfter }
}

/**
 * The starts that meet none of the rows, or that `allows` nevertheless. `row` is the first row that has not ended before
 * the start's needed time; it overlaps that time. Starts and rows are in ascending order: one pass over both.
 */
export function withoutConflicts<Mark>(
  starts: readonly number[],
  rows: TimeRows<Mark>,
  { duration, bufferBefore, bufferAfter }: EffectiveSettings,
  allows: (start: number, row: number) => boolean,
): readonly number[] {
  if (rows.first === rows.after) return starts
  const kept: number[] = []
  // Held in local variables: this loop determines the engine's speed (row P1 of docs/performance).
  let row = rows.first
  let rowStart = rows.starts[row] ?? never
  let rowEnd = rows.ends[row] ?? never
  for (const start of starts) {
    const from = start - bufferBefore
    while (rowEnd <= from) {
      row += 1
      rowStart = row < rows.after ? (rows.starts[row] ?? never) : never
      rowEnd = row < rows.after ? (rows.ends[row] ?? never) : never
    }
    if (rowStart >= start + duration + bufferAfter || allows(start, row)) kept.push(start)
  }
  return kept
}

/** What a rule about the members' time depends on. */
export function timeDependencies({ members }: Pick<SlotSource, 'members'>): Required<Pick<Dependencies, 'time'>> {
  const before = Math.max(...members.map(({ rule }) => rule.bufferBefore))
  const after = Math.max(...members.map(({ rule }) => rule.duration + rule.bufferAfter))
  return { time: { before, after } }
}
