// Up to here copying pieces together costs less than handing them to the network one by one.
const worthCopying = 65_536
const maxBytes = 8 * 1024 * 1024
const maxTags = 1_000

/**
 * Bodies of responses by their tag, in one piece: one piece costs the network less than thirty (row P3 of
 * docs/performance). A long one is put together at its second request, as most that change with every booking have none.
 */
export class ResponseCache {
  /** Tag → the body, or null while it was asked for once. */
  readonly #known = new Map<string, Uint8Array | null>()
  readonly #scratch = new Scratch()
  #bytes = 0

  /** The body of this tag in one piece; undefined where sending its pieces is better. */
  find(tag: string, size: number, pieces: () => readonly Uint8Array[]): Uint8Array | undefined {
    const known = this.#known.get(tag)
    if (known) return known
    if (size > maxBytes / 2) return undefined
    if (known === undefined) {
      this.#keep(tag, null)
      return size > worthCopying ? undefined : this.#scratch.join(pieces(), size)
    }
    const joined = Buffer.concat(pieces(), size)
    this.#keep(tag, joined)
    return joined
  }

  /** The cached body of this tag. */
  get(tag: string): Uint8Array | undefined {
    return this.#known.get(tag) ?? undefined
  }

  /** Caches a body. */
  set(tag: string, body: Uint8Array): void {
    if (body.length <= maxBytes / 2) this.#keep(tag, body)
  }

  #keep(tag: string, body: Uint8Array | null): void {
    this.#bytes += (body?.length ?? 0) - (this.#known.get(tag)?.length ?? 0)
    this.#known.set(tag, body)
    // The oldest first: a body that is still asked for is soon put together again.
    for (const [oldest, bytes] of this.#known) {
      if (this.#bytes <= maxBytes && this.#known.size <= maxTags) break
      this.#bytes -= bytes?.length ?? 0
      this.#known.delete(oldest)
    }
  }
}

// Longer ones would be held for long by one client that reads slowly.
const slabSize = 262_144

/** Room for answers that are sent once: one allocation serves many of them. */
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
