import type { Interval } from '../../scheduling/time/interval.ts'
import { daysOf } from './day-range.ts'
import type { AvailabilityQuery } from './question.ts'
import { bytesOf, partWithin, type SlotText, type TextPart } from './slot-text.ts'

/** Slots that are produced day by day, for lists that are too long to hold in memory. */
export interface StreamedSlots {
  /** Chunks of JSON with one or more slots each; every slot is preceded by a comma. */
  readonly items: AsyncIterable<Uint8Array>
  /** The number of slots, including those outside of the requested page; undefined unless a page is requested. */
  readonly total: number | undefined
}

/**
 * Streams the slots of a window from the texts of its days, which are computed one at a time. For a page, every day is
 * computed once in advance to count the slots.
 */
export async function streamSlots(
  { part }: AvailabilityQuery,
  window: Interval,
  textOfDay: (day: number) => Promise<SlotText>,
): Promise<StreamedSlots> {
  const parts = () => partsOfDays(window, textOfDay)
  if (!part) return { items: bytesIn(parts(), 0, Number.POSITIVE_INFINITY), total: undefined }
  let total = 0
  for await (const { first, after } of parts()) total += after - first
  return { items: bytesIn(parts(), part.offset, part.offset + part.limit), total }
}

/** Yields the bytes of the slots at positions [from, until), counted over all parts. */
async function* bytesIn(parts: AsyncIterable<TextPart>, from: number, until: number): AsyncGenerator<Uint8Array> {
  let position = 0
  for await (const { text, first, after } of parts) {
    const low = Math.max(first, first + from - position)
    const high = Math.min(after, first + until - position)
    position += after - first
    if (low < high) yield bytesOf({ text, first: low, after: high })
    if (position >= until) return
  }
}

async function* partsOfDays(window: Interval, textOfDay: (day: number) => Promise<SlotText>): AsyncGenerator<TextPart> {
  const { firstDay, lastDay } = daysOf(window)
  for (let day = firstDay; day <= lastDay; day += 1) yield partWithin(await textOfDay(day), window.start, window.end)
}
