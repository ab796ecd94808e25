/** An entry of a `ClockCache`: something that can be made again. */
export interface CacheEntry {
  /** Its size in bytes, estimated; unchanged while it is in the cache. */
  readonly size: number
  /** Set at every hit; an eviction passes over an entry once for it. */
  used: boolean
  /** Called once, when the entry leaves the cache. */
  readonly evicted: () => void
}

/** A byte-bounded cache with approximate LRU eviction (CLOCK). */
export class ClockCache {
  readonly #maxBytes: number
  readonly #entries = new Set<CacheEntry>()
  #size = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Bytes of all entries. */
  get size(): number {
    return this.#size
  }

  /** Adds an entry; until the next `evict` the cache may be larger than it may stay. */
  add(entry: CacheEntry): void {
    this.#entries.add(entry)
    this.#size += entry.size
  }

  /** Removes the entries used least recently until the rest fits. */
  evict(): void {
    // Oldest first; one that was used since gets another round. A hit costs one assignment, and no list is reordered.
    for (const oldest of this.#entries) {
      if (this.#size <= this.#maxBytes) break
      if (oldest.used) {
        oldest.used = false
        this.#entries.delete(oldest)
        this.#entries.add(oldest)
      } else this.remove(oldest)
    }
  }

  /** Removes an entry, if it is there. */
  remove(entry: CacheEntry): void {
    if (!this.#entries.delete(entry)) return
    this.#size -= entry.size
    entry.evicted()
  }
}
