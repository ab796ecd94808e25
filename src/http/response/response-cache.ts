// The size in bytes up to which joining the pieces of a response costs less than writing them one by one.
const maxCopied = 65_536
// The number of pieces up to which writing them costs less than joining them.
const maxUnjoined = 3
const maxBytes = 8 * 1024 * 1024
const maxTags = 1_000

/**
 * A cache of response bodies by ETag: writing a body as one buffer costs less than writing its pieces, about thirty for
 * the slots of 28 days (row P3 of docs/benchmarks.md). `find` caches a body only at the second request for its ETag,
 * since most bodies change with every booking and are requested once. A body of more than `maxCopied` bytes is not
 * joined before that request either.
 */
export class ResponseCache {
  /** The cached body by ETag; null for an ETag that was requested once, whose body is not cached yet. */
  readonly #byTag = new Map<string, Uint8Array | null>()
  readonly #scratch = new Scratch()
  #bytes = 0

  /**
   * Returns the body of an ETag as one buffer; undefined when the pieces are to be sent instead, because joining them
   * costs more or the body is too large for the cache.
   */
  find(tag: string, size: number, pieces: () => readonly Uint8Array[]): Uint8Array | undefined {
    const known = this.#byTag.get(tag)
    if (known) return known
    if (size > maxBytes / 2) return undefined
    if (known === undefined) {
      this.#store(tag, null)
      if (size > maxCopied) return undefined
      const parts = pieces()
      return parts.length > maxUnjoined ? this.#scratch.join(parts, size) : undefined
    }
    const joined = Buffer.concat(pieces(), size)
    this.#store(tag, joined)
    return joined
  }

  /** Returns the cached body of an ETag; undefined when none is cached. */
  get(tag: string): Uint8Array | undefined {
    return this.#byTag.get(tag) ?? undefined
  }

  /** Caches the body of an ETag, unless the body is longer than half of the cache. */
  set(tag: string, body: Uint8Array): void {
    if (body.length <= maxBytes / 2) this.#store(tag, body)
  }

  #store(tag: string, body: Uint8Array | null): void {
    this.#bytes += (body?.length ?? 0) - (this.#byTag.get(tag)?.length ?? 0)
    this.#byTag.set(tag, body)
    // Evicts the oldest entries first; a body that is still requested is soon cached again.
    for (const [oldest, bytes] of this.#byTag) {
      if (this.#bytes <= maxBytes && this.#byTag.size <= maxTags) break
      this.#bytes -= bytes?.length ?? 0
      this.#byTag.delete(oldest)
    }
  }
}

// The size of a slab in bytes. A slab stays allocated while any response in it is unsent, so slabs are small.
const slabSize = 262_144

/** A slab allocator for responses that are not cached: one allocation serves many responses. */
class Scratch {
  #slab = Buffer.allocUnsafeSlow(slabSize)
  #used = 0

  join(pieces: readonly Uint8Array[], size: number): Uint8Array {
    if (this.#used + size > slabSize) {
      this.#slab = Buffer.allocUnsafeSlow(slabSize)
      this.#used = 0
    }
    const joined = this.#slab.subarray(this.#used, this.#used + size)
    this.#used += size
    let at = 0
    for (const piece of pieces) {
      joined.set(piece, at)
      at += piece.length
    }
    return joined
  }
}
