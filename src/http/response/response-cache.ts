// Up to this size copying the pieces together costs less than writing them one by one.
const maxCopied = 65_536
const maxBytes = 8 * 1024 * 1024
const maxTags = 1_000

/**
 * A cache of responses joined from their pieces: writing one buffer costs less than thirty. A response is cached at its
 * second request; long ones are joined only then, as most that change with every booking are never requested again. See
 * decisions/0017.
 */
export class ResponseCache {
  /** Tag → the joined response, or null after its first request. */
  readonly #byTag = new Map<string, Uint8Array | null>()
  readonly #scratch = new Scratch()
  #bytes = 0

  /** Returns the response of a tag as one buffer; undefined where sending its pieces is cheaper. */
  find(tag: string, size: number, pieces: () => readonly Uint8Array[]): Uint8Array | undefined {
    const known = this.#byTag.get(tag)
    if (known) return known
    if (size > maxBytes / 2) return undefined
    if (known === undefined) {
      this.#store(tag, null)
      return size > maxCopied ? undefined : this.#scratch.join(pieces(), size)
    }
    const joined = Buffer.concat(pieces(), size)
    this.#store(tag, joined)
    return joined
  }

  #store(tag: string, joined: Uint8Array | null): void {
    this.#byTag.set(tag, joined)
    this.#bytes += joined?.length ?? 0
    // Evicts the oldest entries first; a response that is still requested is soon cached again.
    for (const [oldest, bytes] of this.#byTag) {
      if (this.#bytes <= maxBytes && this.#byTag.size <= maxTags) break
      this.#bytes -= bytes?.length ?? 0
      this.#byTag.delete(oldest)
    }
  }
}

// A longer slab could be retained for long by one slow client.
const slabSize = 262_144

/** Scratch memory for responses that are sent once: one allocation serves many of them. */
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
