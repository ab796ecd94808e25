import { lowerBound } from '../../scheduling/time/lower-bound.ts'

/** Slots as JSON in the order of the contract, each after a comma; slot `i` is the bytes `offsets[i]` to `offsets[i + 1]`. */
export interface SlotText {
  readonly bytes: Buffer
  /** Unix seconds, ascending. */
  readonly starts: ArrayLike<number>
  readonly offsets: ArrayLike<number>
}

/** The slots of a text from index `first` to before `after`. */
export interface TextPart {
  readonly text: SlotText
  readonly first: number
  readonly after: number
}

/** No slot. */
export const noSlotText: SlotText = { bytes: Buffer.alloc(0), starts: [], offsets: [0] }

/** The part of a text that starts in [from, until). */
export function partWithin(text: SlotText, from: number, until: number): TextPart {
  return { text, first: lowerBound(text.starts, from), after: lowerBound(text.starts, until) }
}

/** The bytes of a part, without a copy. */
export function bytesOf({ text: { bytes, offsets }, first, after }: TextPart): Buffer {
  return bytes.subarray(offsets[first], offsets[after])
}

/** One text of all parts; at equal starts the slots of earlier parts come first. */
export function mergeParts(parts: readonly TextPart[]): SlotText {
  const some = parts.filter(({ first, after }) => first < after)
  const [only] = some
  if (!only) return noSlotText
  if (some.length === 1 && only.first === 0 && only.after === only.text.starts.length) return only.text
  let count = 0
  let size = 0
  for (const { text, first, after } of some) {
    count += after - first
    size += (text.offsets[after] ?? 0) - (text.offsets[first] ?? 0)
  }
  const bytes = Buffer.allocUnsafeSlow(size)
  const starts = new Float64Array(count)
  const offsets = new Uint32Array(count + 1)
  const next = some.map(({ first }) => first)
  const heads = Float64Array.from(some, ({ text, first }) => text.starts[first] ?? 0)
  let slot = 0
  let at = 0
  while (slot < count) {
    let start = Number.POSITIVE_INFINITY
    for (let index = 0; index < heads.length; index += 1) start = Math.min(start, heads[index] ?? start)
    for (let index = 0; index < heads.length; index += 1) {
      if (heads[index] !== start) continue
      const part = some[index] ?? only
      const { text, after } = part
      const first = next[index] ?? 0
      let end = first
      while (end < after && text.starts[end] === start) {
        end += 1
        starts[slot] = start
        slot += 1
        offsets[slot] = at + (text.offsets[end] ?? 0) - (text.offsets[first] ?? 0)
      }
      at += text.bytes.copy(bytes, at, text.offsets[first], text.offsets[end])
      next[index] = end
      heads[index] = end < after ? (text.starts[end] ?? 0) : Number.POSITIVE_INFINITY
    }
  }
  return { bytes, starts, offsets }
}
