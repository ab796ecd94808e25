/** Chance that falls the same way at every run: what is drawn depends on the seed and on how often one drew. */
export interface Chance {
  /** A fraction from 0 up to, but not including, 1. */
  fraction(): number
  /** True in this share of cases. */
  happens(share: number): boolean
  /** A whole number, both ends included. */
  between(least: number, most: number): number
  /** One of them, each equally likely; there must be one. */
  pick<T>(items: readonly T[]): T
  /** One of them, the first ones more often than the last; there must be one. */
  pickEarly<T>(items: readonly T[]): T
}

/** A source of chance from a seed (Mulberry32: 32 bits of state, plenty for a demonstration). */
export function chanceFrom(seed: number): Chance {
  let state = seed >>> 0
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    fraction,
    happens: (share) => fraction() < share,
    between: (least, most) => least + Math.floor(fraction() * (most - least + 1)),
    pick: (items) => itemAt(items, fraction()),
    pickEarly: (items) => itemAt(items, fraction() ** 2),
  }
}

function itemAt<T>(items: readonly T[], fraction: number): T {
  const item = items[Math.floor(fraction * items.length)]
  if (item === undefined) throw new Error('There is nothing to pick from.')
  return item
}
