import { type Interval, overlaps } from '../time/interval.ts'

/**
 * Returns a key of one slot of one service. All seats of the slot (its places for one reservation each) have the same
 * key.
 */
export function slotKey(serviceId: string, start: number, end: number): string {
  return `${serviceId}:${start}:${end}`
}

/** Returns the lowest `count` numbers of seats in a slot, from 1, that are not taken. */
export function lowestFreeSeats(taken: readonly number[], count: number): number[] {
  const seats = new Set(taken)
  const free: number[] = []
  for (let seat = 1; free.length < count; seat += 1) if (!seats.has(seat)) free.push(seat)
  return free
}

/**
 * The provider's time that one slot occupies, buffers included. `taken` is the number of occupied seats, including
 * those temporarily reserved for open booking forms.
 */
export interface Occupied extends Interval {
  readonly slot: string
  readonly taken: number
}

/** A provider's time that is blocked by time off, a connected calendar or a deliberate double booking. */
export interface Blocked extends Interval {
  /**
   * `calendar_unread` is time that the last read of a connected calendar does not cover, or for which that read is too
   * old; `overflow` is time of a deliberate double booking.
   */
  readonly source: 'time_off' | 'calendar' | 'calendar_unread' | 'overflow'
}

/**
 * Intervals of one provider sorted by start. They are the rows from `first` up to, but not including, `after` of
 * columns that several providers share.
 */
export interface TimeRows<Mark> {
  readonly starts: Float64Array
  readonly ends: Float64Array
  /** The mark of each row: the key of the slot for occupied time, or the source for blocked time. */
  readonly marks: readonly Mark[]
  readonly counts: Int32Array
  readonly first: number
  readonly after: number
}

/** One provider's occupied time, each row marked with its slot and counting its seats; rows never overlap. */
export type TakenTimes = TimeRows<Occupied['slot']>

/** One provider's blocked time, each row marked with its source; rows may overlap. */
export type BlockedTimes = TimeRows<Blocked['source']>

const bytesANumber = Float64Array.BYTES_PER_ELEMENT
/** The size of a row in bytes, without its slot or source (`marks`). */
const bytesPerTimeRow = 2 * bytesANumber + Int32Array.BYTES_PER_ELEMENT

// V8 stores typed arrays of up to 64 bytes inside its heap, without a separate allocation. Larger columns are views of
// one shared buffer, so that they cost one allocation instead of three.
const maxInline = 8

/**
 * A columnar store of intervals, filled row by row, one provider after the other. Typed arrays take a fraction of the
 * memory of one object per interval, and are faster to scan.
 */
export class TimeColumns<Mark> {
  readonly #most: number
  readonly #starts: Float64Array
  readonly #ends: Float64Array
  readonly #counts: Int32Array
  readonly #marks: Mark[] = []

  /** Creates columns for at most `most` rows. */
  constructor(most: number) {
    this.#most = most
    if (most <= maxInline) {
      this.#starts = new Float64Array(most)
      this.#ends = new Float64Array(most)
      this.#counts = new Int32Array(most)
      return
    }
    const bytes = new ArrayBuffer(most * bytesPerTimeRow)
    this.#starts = new Float64Array(bytes, 0, most)
    this.#ends = new Float64Array(bytes, most * bytesANumber, most)
    this.#counts = new Int32Array(bytes, 2 * most * bytesANumber, most)
  }

  /** The number of rows added so far. */
  get length(): number {
    return this.#marks.length
  }

  /** The number of rows that can still be added. */
  get room(): number {
    return this.#most - this.#marks.length
  }

  /**
   * Adds a row with its `mark`, the slot or the source of the time; throws when there is no room. The rows of one
   * provider must be added in ascending order of start.
   */
  add(start: number, end: number, mark: Mark, count = 1): void {
    const row = this.#marks.length
    // A typed array ignores writes beyond its end; a lost row would be time that can be booked twice.
    if (row === this.#most) throw new RangeError(`There is room for ${row} times.`)
    this.#starts[row] = start
    this.#ends[row] = end
    this.#counts[row] = count
    this.#marks.push(mark)
  }

  /**
   * Counts one more taken seat: in the row at or after index `first` that has the same interval and slot, or else in a
   * new row.
   */
  addSeat(first: number, start: number, end: number, mark: Mark): void {
    let row = this.#marks.length - 1
    while (row >= first && this.#starts[row] === start && !(this.#ends[row] === end && this.#marks[row] === mark))
      row -= 1
    if (row >= first && this.#starts[row] === start) this.#counts[row] = (this.#counts[row] ?? 0) + 1
    else this.add(start, end, mark)
  }

  /** Appends the rows of one provider's intervals from index `from` on. */
  copy({ starts, ends, marks, counts, after }: TimeRows<Mark>, from: number): void {
    for (let row = from; row < after; row += 1)
      this.add(starts[row] ?? 0, ends[row] ?? 0, marks[row] as Mark, counts[row])
  }

  /** Returns the rows from index `first` on, which belong to one provider. */
  since(first: number): TimeRows<Mark> {
    return {
      starts: this.#starts,
      ends: this.#ends,
      marks: this.#marks,
      counts: this.#counts,
      first,
      after: this.#marks.length,
    }
  }
}

/** An empty list of intervals. */
export const noTimes: TimeRows<never> = new TimeColumns<never>(0).since(0)

/**
 * Returns the first interval that overlaps `within`; undefined when there is none. With `mark`, only intervals of this
 * slot (for occupied time) or of this source (for blocked time) count.
 */
export function firstWithin<Mark>(
  { starts, ends, marks, first, after }: TimeRows<Mark>,
  within: Interval,
  mark?: Mark,
): Interval | undefined {
  for (let row = first; row < after; row += 1) {
    const time = { start: starts[row] ?? 0, end: ends[row] ?? 0 }
    if (overlaps(time, within) && (mark === undefined || marks[row] === mark)) return time
  }
  return undefined
}

/** Whether any interval belongs to this slot (for occupied time) or has this source (for blocked time). */
export function hasMark<Mark>({ marks, first, after }: TimeRows<Mark>, mark: Mark): boolean {
  // The columns are shared with other providers, so a search by `indexOf` would not end at this provider's last row.
  for (let row = first; row < after; row += 1) if (marks[row] === mark) return true
  return false
}

/**
 * Returns the number of seats taken of exactly this slot (same service, start and end). The search begins at row
 * `from`, which must not be after the first row that ends after the slot's start.
 */
export function seatsOf(
  { starts, ends, marks, counts, first, after }: TakenTimes,
  { serviceId, start, end }: Interval & { readonly serviceId: string },
  from = first,
): number {
  for (let row = from; row < after && (starts[row] ?? 0) <= start; row += 1) {
    // Numbers are compared first: most rows are other slots, and `slotKey` creates a string.
    if ((ends[row] ?? 0) >= end && marks[row] === slotKey(serviceId, start, end)) return counts[row] ?? 0
  }
  return 0
}
