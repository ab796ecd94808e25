/** A set of at most `max` keys; the oldest ones are forgotten first. */
export class RecentKeys {
  readonly #max: number
  readonly #keys = new Set<string>()

  constructor(max: number) {
    this.#max = max
  }

  add(key: string): void {
    this.#keys.add(key)
    for (const oldest of this.#keys) {
      if (this.#keys.size <= this.#max) break
      this.#keys.delete(oldest)
    }
  }

  /** Deletes a key; returns whether the set contained it. */
  delete(key: string): boolean {
    return this.#keys.delete(key)
  }
}
