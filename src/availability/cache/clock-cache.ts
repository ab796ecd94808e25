/** An entry of a `ClockCache`; its content can be computed again. */
export interface CacheEntry {
  /** The estimated size of the entry in bytes; constant while the entry is in the cache. */
  readonly size: number
  /** Callers set this to true when they use the entry; eviction skips a used entry once and sets the field to false. */
  used: boolean
  /** Called once, when the entry is evicted or removed from the cache. */
  readonly evicted: () => void
}

/**
 * A cache with a maximum size in bytes, which evicts approximately the least recently used entries (CLOCK algorithm).
 */
export class ClockCache {
  readonly #maxBytes: number
  readonly #entries = new Set<CacheEntry>()
  #size = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The total size of all entries in bytes. */
  get size(): number {
    return this.#size
  }

  /** Adds an entry. The cache may exceed its size limit until the next `evict`. */
  add(entry: CacheEntry): void {
    this.#entries.add(entry)
    this.#size += entry.size
  }

  /** Evicts entries, approximately the least recently used first, until the size limit is met. */
  evict(): void {
    // The oldest entries are evicted first, but an entry that was used since the last pass is skipped once. Using an
    // entry thus costs one assignment and moves no entry.
    for (const oldest of this.#entries) {
      if (this.#size <= this.#maxBytes) break
      if (oldest.used) {
        oldest.used = false
        this.#entries.delete(oldest)
        this.#entries.add(oldest)
      } else this.remove(oldest)
    }
  }

  /** Removes an entry if the cache contains it. */
  remove(entry: CacheEntry): void {
    if (!this.#entries.delete(entry)) return
    this.#size -= entry.size
    entry.evicted()
  }
}
