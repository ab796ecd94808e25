import { lowerBound } from '../../scheduling/time/lower-bound.ts'
import type { SlotJson } from '../slot-json.ts'

/** Which slots of a list are asked for, by their place in it; all when absent. */
export interface SlotRange {
  readonly offset: number
  readonly limit: number
}

/** A list of slots as it is sent: pieces in their order, with commas between the slots and nothing around them. */
export interface ListedSlots {
  readonly pieces: readonly Uint8Array[]
  /** Those of them that are made for this answer alone; the others come again. */
  readonly passing: readonly Uint8Array[]
  /** Bytes of all pieces. */
  readonly size: number
  /** How many slots there are, those outside the part asked for too. */
  readonly total: number
  /** Another text whenever the pieces are other ones; undefined when nobody can know. */
  readonly tag: string | undefined
}

/** A text of a day's slots that never changes; another one of the same days has a higher number. */
export interface NumberedText {
  readonly text: SlotJson
  readonly number: number
}

/** What starts in [from, until) of texts that follow each other; `maker` names who counts their numbers. */
export function listSlots(
  days: readonly NumberedText[],
  { from, until, part, maker }: { from: number; until: number; part?: SlotRange | undefined; maker?: string },
): ListedSlots {
  const first = days[0]?.text
  const last = days.at(-1)?.text
  if (!first || !last) return { pieces: [], passing: [], size: 0, total: 0, tag: maker && `${maker}.0` }
  const begin = lowerBound(first.starts, from)
  const end = lowerBound(last.starts, until)
  let total = 0
  for (const { text } of days) total += text.starts.length
  total -= begin + last.starts.length - end
  const least = part ? part.offset : 0
  const most = part ? part.offset + part.limit : total
  const pieces: Uint8Array[] = []
  const passing: Uint8Array[] = []
  let size = 0
  let newest = 0
  let passed = -begin
  for (const { text, number } of days) {
    if (number > newest) newest = number
    const low = Math.max(least - passed, text === first ? begin : 0)
    const high = Math.min(most - passed, text === last ? end : text.starts.length)
    passed += text.starts.length
    if (low >= high) continue
    const piece = pieceOf(text, low, high, pieces.length === 0)
    pieces.push(piece)
    if (piece !== text.bytes && piece !== text.leading) passing.push(piece)
    size += piece.length
  }
  return {
    pieces,
    passing,
    size,
    total,
    tag: maker && `${maker}.${days[0]?.number}.${days.length}.${newest}.${begin}.${end}.${least}.${most}`,
  }
}

/** The bytes of some slots; the comma before the first stays away where nothing is before it. */
function pieceOf(text: SlotJson, low: number, high: number, first: boolean): Uint8Array {
  const { bytes, leading, offsets, starts } = text
  if (low === 0 && high === starts.length) return first ? leading : bytes
  return bytes.subarray((offsets[low] ?? 0) + (first ? 1 : 0), offsets[high])
}
