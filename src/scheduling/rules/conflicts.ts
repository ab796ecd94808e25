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
 * Visits the starts whose needed time overlaps a row: `index` is the start's, `row` the first row that has not ended before
 * that time. Starts and rows are in ascending order: one pass over both.
 */
export function eachConflict<Mark>(
  starts: readonly number[],
  rows: TimeRows<Mark>,
  { duration, bufferBefore, bufferAfter }: EffectiveSettings,
  visit: (index: number, row: number) => void,
): void {
  if (rows.first === rows.after) return
  // Held in local variables: this loop determines the engine's speed (row P1 of docs/performance).
  let row = rows.first
  let rowStart = rows.starts[row] ?? never
  let rowEnd = rows.ends[row] ?? never
  for (let index = 0; index < starts.length; index += 1) {
    const start = starts[index] ?? 0
    while (rowEnd <= start - bufferBefore) {
      row += 1
      rowStart = row < rows.after ? (rows.starts[row] ?? never) : never
      rowEnd = row < rows.after ? (rows.ends[row] ?? never) : never
    }
    if (rowStart < start + duration + bufferAfter) visit(index, row)
  }
}

/** The starts that overlap no row, or that `allows` nevertheless; the same list when it keeps them all. */
export function withoutConflicts<Mark>(
  starts: readonly number[],
  rows: TimeRows<Mark>,
  settings: EffectiveSettings,
  allows: (start: number, row: number) => boolean,
): readonly number[] {
  const removed: number[] = []
  eachConflict(starts, rows, settings, (index, row) => {
    if (!allows(starts[index] ?? 0, row)) removed.push(index)
  })
  if (removed.length === 0) return starts
  const kept = new Array<number>(starts.length - removed.length)
  let next = 0
  for (let index = 0; index < starts.length; index += 1)
    if (removed[next] === index) next += 1
    else kept[index - next] = starts[index] ?? 0
  return kept
}

/** What a rule about the members' time depends on. */
export function timeDependencies({ members }: Pick<SlotSource, 'members'>): Required<Pick<Dependencies, 'time'>> {
  const before = Math.max(...members.map(({ rule }) => rule.bufferBefore))
  const after = Math.max(...members.map(({ rule }) => rule.duration + rule.bufferAfter))
  return { time: { before, after } }
}
