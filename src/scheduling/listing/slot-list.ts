import type { Slot } from '../plan/plan.ts'

/**
 * Slots in ascending order of their starts. A slot object is created only when it is read, since creating it costs
 * three times as much as finding its start.
 */
export interface SlotList {
  readonly starts: ArrayLike<number>
  /** Creates the slot at an index of `starts`. */
  slotAt(index: number): Slot
}

// The maximum number of lists that are merged at once; more lists are first merged in groups of this size. A merge
// compares the next starts of all its lists once for each distinct start, and lists often have the same starts.
const atOnce = 64
const never = Number.POSITIVE_INFINITY

/** Creates every slot of a list. */
export function slotsOf(list: SlotList): Slot[] {
  const slots = new Array<Slot>(list.starts.length)
  for (let index = 0; index < slots.length; index += 1) slots[index] = list.slotAt(index)
  return slots
}

/** Merges lists into one; at equal starts, slots of earlier lists come first. */
export function mergedSlots(lists: readonly SlotList[]): SlotList {
  const [first] = lists
  if (first && lists.length === 1) return first
  if (lists.length <= atOnce) return mergedAtOnce(lists)
  const groups: SlotList[] = []
  for (let from = 0; from < lists.length; from += atOnce) groups.push(mergedAtOnce(lists.slice(from, from + atOnce)))
  return mergedSlots(groups)
}

/** Wraps existing slots as a list. */
export function slotListOf(slots: readonly Slot[]): SlotList {
  return { starts: slots.map(({ start }) => start), slotAt: (index) => present(slots[index]) }
}

function mergedAtOnce(lists: readonly SlotList[]): SlotList {
  const columns = lists.map((list) => list.starts)
  const length = columns.reduce((sum, column) => sum + column.length, 0)
  // Typed arrays, and no reads beyond the end of a column, take half the time of plain arrays.
  const starts = new Float64Array(length)
  // For each merged slot, `atOnce` times its index in its list, plus the number of the list.
  const places = new Int32Array(length)
  const heads = Float64Array.from(columns, (column) => column[0] ?? never)
  const taken = new Int32Array(columns.length)
  let used = 0
  let start = Math.min(...heads)
  while (used < length) {
    // One pass over the heads (the next start of each list) takes the slots at `start` and finds the next start.
    let following = never
    for (let number = 0; number < heads.length; number += 1) {
      let head = heads[number] ?? never
      if (head === start) {
        const column = columns[number] ?? []
        let next = taken[number] ?? 0
        while (head === start) {
          starts[used] = start
          places[used] = next * atOnce + number
          used += 1
          next += 1
          head = next < column.length ? (column[next] ?? never) : never
        }
        taken[number] = next
        heads[number] = head
      }
      if (head < following) following = head
    }
    start = following
  }
  const slotAt = (index: number): Slot => {
    const place = places[index] ?? 0
    return present(lists[place % atOnce]).slotAt(Math.floor(place / atOnce))
  }
  return { starts, slotAt }
}

function present<T>(item: T | undefined): T {
  if (item === undefined) throw new RangeError('The list has no slot at this index.')
  return item
}
