/** Counts items in progress per key, such as requests of a client. A key without items takes no memory. */
export class OpenCounts {
  readonly #counts = new Map<string, number>()

  /** Counts one more item of a key; returns false, without counting, when the count would exceed `limit`. */
  add(name: string, limit = Number.POSITIVE_INFINITY): boolean {
    const count = (this.#counts.get(name) ?? 0) + 1
    if (count > limit) return false
    this.#counts.set(name, count)
    return true
  }

  /** Decrements the count of a key. */
  remove(name: string): void {
    const left = (this.#counts.get(name) ?? 1) - 1
    if (left > 0) this.#counts.set(name, left)
    else this.#counts.delete(name)
  }
}
