/** A pseudo-random number generator whose numbers depend only on the seed. */
export interface Random {
  /** Returns the next pseudo-random number in [0, 1). */
  fraction(): number
  /** Returns true with the probability `share`. */
  happens(share: number): boolean
  /** Returns an integer from `min` to `max`, both included. */
  between(min: number, max: number): number
  /** Returns one item of a list, each equally likely; the list must not be empty. */
  pick<T>(items: readonly T[]): T
  /** Returns one item of a list, the first items more often than the last; the list must not be empty. */
  pickEarly<T>(items: readonly T[]): T
}

/**
 * Creates a pseudo-random number generator from a seed (Mulberry32, whose 32 bits of state suffice for a
 * demonstration).
 */
export function seededRandom(seed: number): Random {
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
