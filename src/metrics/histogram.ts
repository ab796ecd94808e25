/** A histogram with cumulative counts, total count and sum. */
export class Histogram {
  readonly bounds: readonly number[]
  readonly #counts: number[]
  #sum = 0

  /**
   * Creates a histogram whose buckets have these upper bounds, in ascending order; the total also counts values above
   * the last bound.
   */
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

  /** Returns the number of values at most each bound, and last the total number. */
  cumulative(): number[] {
    let total = 0
    return this.#counts.map((count) => {
      total += count
      return total
    })
  }
}
