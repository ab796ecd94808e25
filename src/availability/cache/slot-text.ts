import { lowerBound } from '../../scheduling/time/lower-bound.ts'

/**
 * The JSON of slots, ordered by start, service id and provider id, each preceded by a comma; slot `i` begins at byte
 * `offsets[i]` and ends before byte `offsets[i + 1]`.
 */
export interface SlotText {
  readonly bytes: Buffer
  /** The starts of the slots in Unix seconds, ascending. */
  readonly starts: ArrayLike<number>
  readonly offsets: ArrayLike<number>
}

/** A range of the slots of a `SlotText`: from index `first` up to, but not including, index `after`. */
export interface TextPart {
  readonly text: SlotText
  readonly first: number
  readonly after: number
}

/** The JSON of an empty list of slots. */
const noSlotText: SlotText = { bytes: Buffer.alloc(0), starts: [], offsets: [0] }

/** Returns the range of the slots of a text that start in [from, until), in Unix seconds. */
export function partWithin(text: SlotText, from: number, until: number): TextPart {
  const count = text.starts.length
  if (count > 0 && (text.starts[0] ?? 0) >= from && (text.starts[count - 1] ?? 0) < until)
    return { text, first: 0, after: count }
  return { text, first: lowerBound(text.starts, from), after: lowerBound(text.starts, until) }
}

/** Returns the JSON of a range of slots as a view of the text's buffer, without a copy. */
export function bytesOf({ text: { bytes, offsets }, first, after }: TextPart): Buffer {
  return bytes.subarray(offsets[first], offsets[after])
}

/**
 * Merges the slots of consecutive days, each given in parts, into one text. The slots are ordered by start; at equal
 * starts, slots of earlier parts come first.
 */
export function mergeDays(days: readonly (readonly TextPart[])[]): SlotText {
  let count = 0
  let size = 0
  let only: SlotText | undefined
  for (const parts of days)
    for (const { text, first, after } of parts) {
      if (first >= after) continue
      if (count === 0 && first === 0 && after === text.starts.length) only = text
      else only = undefined
      count += after - first
      size += (text.offsets[after] ?? 0) - (text.offsets[first] ?? 0)
    }
  if (count === 0) return noSlotText
  if (only && count === only.starts.length) return only
  const merged = {
    bytes: Buffer.allocUnsafeSlow(size),
    starts: new Array<number>(count),
    offsets: new Array<number>(count + 1),
  }
  merged.offsets[0] = 0
  let slot = 0
  for (const parts of days) slot = mergeDay(parts, merged, slot)
  return merged
}

/**
 * Writes the slots of a day into the merged text, the first one at index `slot`; returns the index after the last one.
 */
function mergeDay(parts: readonly TextPart[], { bytes, starts, offsets }: MergedText, slot: number): number {
  const next: number[] = []
  const heads: number[] = []
  let start = never
  for (const { text, first, after } of parts) {
    const head = first < after ? (text.starts[first] ?? never) : never
    next.push(first)
    heads.push(head)
    if (head < start) start = head
  }
  let written = slot
  let at = offsets[slot] ?? 0
  while (start < never) {
    let following = never
    for (let index = 0; index < heads.length; index += 1) {
      let head = heads[index] ?? never
      const part = parts[index]
      if (head === start && part) {
        const { text, after } = part
        const first = next[index] ?? 0
        const begin = text.offsets[first] ?? 0
        let end = first
        while (end < after && text.starts[end] === start) {
          end += 1
          starts[written] = start
          written += 1
          offsets[written] = at + (text.offsets[end] ?? 0) - begin
        }
        at += text.bytes.copy(bytes, at, begin, text.offsets[end])
        next[index] = end
        head = end < after ? (text.starts[end] ?? never) : never
        heads[index] = head
      }
      if (head < following) following = head
    }
    start = following
  }
  return written
}

interface MergedText extends SlotText {
  readonly starts: number[]
  readonly offsets: number[]
}

const never = Number.POSITIVE_INFINITY
