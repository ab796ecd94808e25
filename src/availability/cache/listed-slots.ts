import { lowerBound } from '../../scheduling/time/lower-bound.ts'
import type { SlotRange } from './question.ts'
import { bytesOf, type SlotText } from './slot-text.ts'

/**
 * A list of slots as sent to the client: pieces of JSON in the order of the slots, with commas between the slots and
 * without the brackets of the array.
 */
export interface ListedSlots {
  readonly pieces: readonly Uint8Array[]
  /** The total size of all pieces of JSON in bytes. */
  readonly size: number
  /** The number of slots of the list, including those outside of the requested page. */
  readonly total: number
  /** An ETag that changes whenever the pieces of JSON change; undefined when `listSlots` was called without `maker`. */
  readonly tag: string | undefined
}

/**
 * The JSON of the slots of a day or of several days. A cache numbers its texts in the order in which they were
 * computed.
 */
export interface NumberedText {
  readonly text: SlotText
  readonly number: number
}

/**
 * Returns the slots that start in [from, until), in Unix seconds, from texts of consecutive days; with `part`, only
 * that page of them. `maker` identifies the cache that numbered the texts; without it the list has no ETag.
 */
export function listSlots(
  days: readonly NumberedText[],
  { from, until, part, maker }: { from: number; until: number; part?: SlotRange | undefined; maker?: string },
): ListedSlots {
  // Only the first and the last text can contain slots that start outside of [from, until). The texts between them are
  // used whole.
  const parts = days.map(({ text }, index) => {
    const first = index === 0 ? lowerBound(text.starts, from) : 0
    const after = index === days.length - 1 ? lowerBound(text.starts, until) : text.starts.length
    return { text, first, after: Math.max(first, after) }
  })
  const total = parts.reduce((sum, { first, after }) => sum + after - first, 0)
  const least = part ? part.offset : 0
  const most = part ? part.offset + part.limit : total
  const pieces: Uint8Array[] = []
  let size = 0
  let position = 0
  for (const { text, first, after } of parts) {
    const low = Math.max(first, first + least - position)
    const high = Math.min(after, first + most - position)
    position += after - first
    if (low >= high) continue
    const bytes = bytesOf({ text, first: low, after: high })
    const piece = pieces.length === 0 ? bytes.subarray(1) : bytes
    pieces.push(piece)
    size += piece.length
  }
  const numbers = days.map(({ number }) => number)
  const [begin, end] = [parts[0]?.first, parts.at(-1)?.after]
  const newest = numbers.reduce((one, other) => Math.max(one, other), 0)
  const tag = maker && `${maker}.${numbers[0] ?? 0}.${numbers.length}.${newest}.${begin}.${end}.${least}.${most}`
  return { pieces, size, total, tag }
}
