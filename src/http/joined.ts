// Up to here copying pieces together costs less than handing them to the network one by one.
const worthCopying = 65_536
const mostBytes = 8 * 1024 * 1024
const mostTags = 1_000

/**
 * Answers in pieces that are asked for again and again, whole: one piece costs the network less than thirty. Long ones are
 * put together at their second time, as most that change with every booking never have one. See decisions/0043.
 */
export class JoinedAnswers {
  /** Tag → the answer, or null while it was seen once. */
  readonly #known = new Map<string, Uint8Array | null>()
  #bytes = 0

  /** The answer of this tag in one piece; undefined where sending its pieces is better. */
  find(tag: string, size: number, join: () => Uint8Array): Uint8Array | undefined {
    const known = this.#known.get(tag)
    if (known) return known
    if (size > mostBytes / 2) return undefined
    if (known === undefined && size > worthCopying) {
      this.#keep(tag, null)
      return undefined
    }
    const joined = join()
    this.#keep(tag, joined)
    return joined
  }

  #keep(tag: string, joined: Uint8Array | null): void {
    this.#known.set(tag, joined)
    this.#bytes += joined?.length ?? 0
    // The oldest first: an answer that is still asked for is soon whole again.
    for (const [oldest, bytes] of this.#known) {
      if (this.#bytes <= mostBytes && this.#known.size <= mostTags) break
      this.#bytes -= bytes?.length ?? 0
      this.#known.delete(oldest)
    }
  }
}
