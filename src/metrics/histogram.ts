/** A histogram with cumulative counts, total count and sum. */
export class Histogram {
  readonly bounds: readonly number[]
  readonly #counts: number[]
  #sum = 0

  /**
   * Creates a histogram with these upper bounds of its buckets, ascending. Values above the last bound count towards
   * the total number and the sum only.
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

  /** Returns the number of values less than or equal to each bound, and as the last element the total number. */
  cumulative(): number[] {
    let total = 0
    return this.#counts.map((count) => {
      total += count
      return total
    })
  }
}
