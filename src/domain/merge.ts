import type { Slot } from './plan.ts'

/** Slots that rise by start, each made only when its turn comes: what was just made is cheap to reach. */
export interface Source {
  readonly starts: readonly number[]
  slotAt(index: number): Slot
}

// So many sources are merged at once. Mostly they have the same starts, and then each look at the heads yields many slots.
const atOnce = 64

/** One list of all slots; at equal starts, those of earlier sources come first. */
export function merged(sources: readonly Source[]): readonly Slot[] {
  const [first] = sources
  if (first && sources.length === 1) return all(first)
  if (sources.length <= atOnce) return mergedAtOnce(sources)
  const groups: Source[] = []
  for (let from = 0; from < sources.length; from += atOnce)
    groups.push(listed(mergedAtOnce(sources.slice(from, from + atOnce))))
  return merged(groups)
}

/** Slots there are already, as a source. */
export function listed(slots: readonly Slot[]): Source {
  return {
    starts: slots.map(({ start }) => start),
    slotAt(index) {
      const slot = slots[index]
      if (!slot) throw new RangeError(`no slot ${index}`)
      return slot
    },
  }
}

function all(source: Source): readonly Slot[] {
  const slots = new Array<Slot>(source.starts.length)
  for (let index = 0; index < slots.length; index += 1) slots[index] = source.slotAt(index)
  return slots
}

function mergedAtOnce(sources: readonly Source[]): readonly Slot[] {
  const slots = new Array<Slot>(sources.reduce((sum, { starts }) => sum + starts.length, 0))
  // Typed, so that looking at the heads reads numbers and not boxes.
  const heads = Float64Array.from(sources, ({ starts }) => starts[0] ?? Number.POSITIVE_INFINITY)
  const taken = new Int32Array(sources.length)
  for (let used = 0; used < slots.length; ) {
    const start = least(heads)
    for (let index = 0; index < heads.length; index += 1) {
      const source = sources[index]
      if (heads[index] !== start || !source) continue
      const { starts } = source
      let next = taken[index] ?? 0
      let head = start
      while (head === start) {
        slots[used++] = source.slotAt(next)
        next += 1
        head = next < starts.length ? (starts[next] ?? 0) : Number.POSITIVE_INFINITY
      }
      taken[index] = next
      heads[index] = head
    }
  }
  return slots
}

function least(numbers: Float64Array): number {
  let found = Number.POSITIVE_INFINITY
  for (let index = 0; index < numbers.length; index += 1) {
    const one = numbers[index] ?? found
    if (one < found) found = one
  }
  return found
}
