import {
  type Blocked,
  type BlockedTimes,
  noTimes,
  type Occupied,
  type TakenTimes,
  TimeColumns,
  type TimeRows,
} from '../../src/scheduling/plan/occupancy.ts'

/** Returns one provider's occupancy in the format of the scheduling engine; `times` is sorted by start. */
export function takenTimes(times: readonly Occupied[]): TakenTimes {
  const columns = new TimeColumns<string>(times.length)
  for (const { start, end, slot, taken } of times) columns.add(start, end, slot, taken)
  return columns.since(0)
}

/** Returns one provider's blocked times in the format of the scheduling engine; `times` is sorted by start. */
export function blockedTimes(times: readonly Blocked[]): BlockedTimes {
  const columns = new TimeColumns<Blocked['source']>(times.length)
  for (const { start, end, source } of times) columns.add(start, end, source)
  return columns.since(0)
}

/** Returns the occupancy in the engine's format as records; the inverse of `takenTimes`. */
export function occupiedIn(times: TakenTimes = noTimes): readonly Occupied[] {
  return rowsIn(times).map(({ start, end, mark, count }) => ({ start, end, slot: mark, taken: count }))
}

/** Returns the blocked times in the engine's format as records; the inverse of `blockedTimes`. */
export function blockedIn(times: BlockedTimes = noTimes): readonly Blocked[] {
  return rowsIn(times).map(({ start, end, mark }) => ({ start, end, source: mark }))
}

function rowsIn<Mark>({ starts, ends, marks, counts, first, after }: TimeRows<Mark>) {
  return marks.slice(first, after).map((mark, index) => ({
    start: starts[first + index] ?? 0,
    end: ends[first + index] ?? 0,
    mark,
    count: counts[first + index] ?? 0,
  }))
}
