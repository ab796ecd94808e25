/** Something kept that can be made again. */
export interface CacheEntry {
  /** Bytes that it takes, about. */
  readonly size: number
  /** Set whenever it is of use; what was of none since the cache last looked goes first. */
  used: boolean
  /** Called once, when it is no longer kept. */
  readonly forgotten: () => void
}

/** Keeps things up to so many bytes together, as of each `settle`; then those go that were not used for longest, about. */
export class ClockCache {
  readonly #most: number
  readonly #kept = new Set<CacheEntry>()
  #size = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Bytes kept. */
  get size(): number {
    return this.#size
  }

  keep(item: CacheEntry): void {
    this.#kept.add(item)
    this.#size += item.size
  }

  /** Lets go of what is too much. Not while something is made from what is kept: it may be more than all that may stay. */
  settle(): void {
    // Oldest first; one that was used since gets another round. A use costs one assignment, and no list is reordered.
    for (const oldest of this.#kept) {
      if (this.#size <= this.#most) break
      if (oldest.used) {
        oldest.used = false
        this.#kept.delete(oldest)
        this.#kept.add(oldest)
      } else this.forget(oldest)
    }
  }

  forget(item: CacheEntry): void {
    if (!this.#kept.delete(item)) return
    this.#size -= item.size
    item.forgotten()
  }
}
