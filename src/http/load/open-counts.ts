/** Counts open items per name; a name without any takes no memory. */
export class OpenCounts {
  readonly #counts = new Map<string, number>()

  /** Counts one more, unless that exceeds `limit`; returns whether it did. */
  add(name: string, limit = Number.POSITIVE_INFINITY): boolean {
    const count = (this.#counts.get(name) ?? 0) + 1
    if (count > limit) return false
    this.#counts.set(name, count)
    return true
  }

  /** Counts one less. */
  remove(name: string): void {
    const left = (this.#counts.get(name) ?? 1) - 1
    if (left > 0) this.#counts.set(name, left)
    else this.#counts.delete(name)
  }
}
