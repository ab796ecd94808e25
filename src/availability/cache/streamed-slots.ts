import { setImmediate } from 'node:timers/promises'
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

/** Returns the text of a day, and may load in advance the slots of the days after it, through `lastDay`. */
type TextOfDay = (day: number, lastDay: number) => Promise<SlotText>

/** The window of a streamed list, and the number of its days that may be loaded at once, at least 1. */
interface StreamedWindow {
  readonly window: Interval
  readonly daysAtOnce: number
}

/**
 * Streams the slots of a window from the texts of its days, which are computed one at a time. For a page, every day is
 * computed once in advance to count the slots.
 */
export async function streamSlots(
  { part }: AvailabilityQuery,
  streamed: StreamedWindow,
  textOfDay: TextOfDay,
): Promise<StreamedSlots> {
  const parts = () => partsOfDays(streamed, textOfDay)
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

async function* partsOfDays({ window, daysAtOnce }: StreamedWindow, textOfDay: TextOfDay): AsyncGenerator<TextPart> {
  const { firstDay, lastDay } = daysOf(window)
  // Days are loaded alone until one has slots, so that the list begins soon. Then several days are loaded at once,
  // because reading several days of a source costs little more than reading one. What is lost before its day comes, by
  // eviction from the cache or a change, is loaded again with that day only.
  let begun = false
  let lastLoaded = firstDay - 1
  for (let day = firstDay; day <= lastDay; day += 1) {
    const last = begun && day > lastLoaded ? Math.min(lastDay, day + daysAtOnce - 1) : day
    lastLoaded = Math.max(lastLoaded, last)
    const text = await textOfDay(day, last)
    begun ||= text.starts.length > 0
    // Other requests run between two days, also if no slots had to be loaded.
    await setImmediate()
    yield partWithin(text, window.start, window.end)
  }
}
