// Up to here copying pieces together costs less than handing them to the network one by one.
const worthCopying = 65_536
const maxBytes = 8 * 1024 * 1024
const mostTags = 1_000

/**
 * Answers in pieces, whole: one piece costs the network less than thirty. They are kept from their second time on, and
 * long ones put together only then, as most that change with every booking never have one. See decisions/0017.
 */
export class ResponseCache {
  /** Tag → the answer, or null while it was seen once. */
  readonly #known = new Map<string, Uint8Array | null>()
  readonly #scratch = new Scratch()
  #bytes = 0

  /** The answer of this tag in one piece; undefined where sending its pieces is better. */
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

  #keep(tag: string, joined: Uint8Array | null): void {
    this.#known.set(tag, joined)
    this.#bytes += joined?.length ?? 0
    // The oldest first: an answer that is still asked for is soon whole again.
    for (const [oldest, bytes] of this.#known) {
      if (this.#bytes <= maxBytes && this.#known.size <= mostTags) break
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
