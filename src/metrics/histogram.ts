/** Counts of values by size: how many were at most each bound, how many in all, and their sum. */
export class Histogram {
  readonly bounds: readonly number[]
  readonly #counts: number[]
  #sum = 0

  /** Bounds rise; values above the last are counted too. */
  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.#counts = new Array(bounds.length + 1).fill(0)
  }

  observe(value: number): void {
    let at = 0
    for (const bound of this.bounds) {
      if (value <= bound) break
      at++
    }
    this.#counts[at] = (this.#counts[at] ?? 0) + 1
    this.#sum += value
  }

  get sum(): number {
    return this.#sum
  }

  /** How many values were at most each bound, and last how many there were. */
  cumulative(): number[] {
    let total = 0
    return this.#counts.map((count) => {
      total += count
      return total
    })
  }
}
