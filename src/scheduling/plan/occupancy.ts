import { type Interval, overlaps } from '../time/interval.ts'

/** Names one slot of one service; seats of the same slot share their provider's time. */
export function slotKey(serviceId: string, start: number, end: number): string {
  return `${serviceId}:${start}:${end}`
}

/** A provider's time taken by one slot, buffers included; `taken` counts its seats, holds that have not expired too. */
export interface Occupied extends Interval {
  readonly slot: string
  readonly taken: number
}

/** A provider's time blocked by something that is no reservation. */
export interface Blocked extends Interval {
  readonly source: 'time_off' | 'calendar'
}

/** Times of one provider, by start: the rows from `first` to before `after` of columns that may hold others' as well. */
export interface TimeRows<Mark> {
  readonly starts: Float64Array
  readonly ends: Float64Array
  /** What each of them is. */
  readonly marks: readonly Mark[]
  readonly counts: Int32Array
  readonly first: number
  readonly after: number
}

/** One provider's taken time: marked with the slots, with so many seats; slots never overlap. */
export type TakenTimes = TimeRows<Occupied['slot']>

/** One provider's blocked time: marked with the sources; may overlap. */
export type BlockedTimes = TimeRows<Blocked['source']>

const bytesANumber = Float64Array.BYTES_PER_ELEMENT
/** What a row takes of its columns, in bytes; what it is marked with is not counted. */
const bytesPerTimeRow = 2 * bytesANumber + Int32Array.BYTES_PER_ELEMENT

// Typed arrays of so few numbers are allocated inside the heap at no cost; longer ones share one allocation.
const maxInline = 8

/**
 * Columns of times that are filled row by row, one provider's after the other's. Numbers side by side take a fraction of
 * the memory of an object each, and the engine runs through them without looking anything up.
 */
export class TimeColumns<Mark> {
  readonly #most: number
  readonly #starts: Float64Array
  readonly #ends: Float64Array
  readonly #counts: Int32Array
  readonly #marks: Mark[] = []

  /** For at most so many rows. */
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

  /** Rows added so far. */
  get length(): number {
    return this.#marks.length
  }

  /** How many more may be added. */
  get room(): number {
    return this.#most - this.#marks.length
  }

  /** Adds a row; the rows of one resource are added in ascending order of their starts. */
  add(start: number, end: number, mark: Mark, count = 1): void {
    const row = this.#marks.length
    // A typed array ignores writes beyond its end, and time that is lost here would be booked twice.
    if (row === this.#most) throw new RangeError(`There is room for ${row} times.`)
    this.#starts[row] = start
    this.#ends[row] = end
    this.#counts[row] = count
    this.#marks.push(mark)
  }

  /** Adds one seat: to the equal row at or after `first`, or as a new row. */
  addSeat(first: number, start: number, end: number, mark: Mark): void {
    let row = this.#marks.length - 1
    while (row >= first && this.#starts[row] === start && !(this.#ends[row] === end && this.#marks[row] === mark))
      row -= 1
    if (row >= first && this.#starts[row] === start) this.#counts[row] = (this.#counts[row] ?? 0) + 1
    else this.add(start, end, mark)
  }

  /** Adds rows of others, from one of them on. */
  copy({ starts, ends, marks, counts, after }: TimeRows<Mark>, from: number): void {
    for (let row = from; row < after; row += 1)
      this.add(starts[row] ?? 0, ends[row] ?? 0, marks[row] as Mark, counts[row])
  }

  /** The rows from one on, all of one provider. */
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

/** No time at all. */
export const noTimes: TimeRows<never> = new TimeColumns<never>(0).since(0)

/** The first row that overlaps an interval; of one mark only, if a mark is given. */
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

/**
 * Seats taken of exactly this slot, 0 if none is, looking on from one row: the first that has not ended by its start, or
 * an earlier one.
 */
export function seatsOf(
  { starts, ends, marks, counts, first, after }: TakenTimes,
  { serviceId, start, end }: Interval & { readonly serviceId: string },
  from = first,
): number {
  for (let row = from; row < after && (starts[row] ?? 0) <= start; row += 1) {
    // The comparison of numbers comes first: most rows are other slots, and a slot's key is a new string.
    if ((ends[row] ?? 0) >= end && marks[row] === slotKey(serviceId, start, end)) return counts[row] ?? 0
  }
  return 0
}
