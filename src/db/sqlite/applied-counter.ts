/**
 * Which commits of the writer thread this thread has applied to its caches. A commit may be visible to this thread's reads
 * before the thread is told of it.
 */
export class AppliedCounter {
  #begun: Int32Array
  /** Undefined before the first message of the writer, when nothing is known. */
  #applied: number | undefined
  #behind: { readonly until: number; readonly resolve: () => void }[] = []

  /** `begun` is the counter, shared with the writer thread, of the commits that have begun; it wraps around. */
  constructor(begun: Int32Array, applied?: number) {
    this.#begun = begun
    this.#applied = applied
  }

  /** The counter of the commits that have begun, for another thread that follows the writer thread. */
  get begun(): Int32Array {
    return this.#begun
  }

  /** Resolves when every commit that may be visible to other connections has been applied; undefined when all are. */
  caughtUp(): Promise<void> | undefined {
    const until = Atomics.load(this.#begun, 0)
    if (until === this.#applied) return undefined
    return new Promise((resolve) => {
      this.#behind.push({ until, resolve })
    })
  }

  /** Resolves the callers that wait for commits up to `begun`, which have been applied. */
  applyUntil(begun: number): void {
    this.#applied = begun
    if (this.#behind.length === 0) return
    const behind = this.#behind
    this.#behind = behind.filter(({ until }) => isAfter(until, begun))
    for (const { until, resolve } of behind) if (!isAfter(until, begun)) resolve()
  }

  /** Resolves all waiting callers, when the writer thread has ended and no further message will come. */
  applyAll(): void {
    this.applyUntil(Atomics.load(this.#begun, 0))
  }

  /** Follows the counter of the writer thread that replaces one that ended. */
  replace(begun: Int32Array): void {
    this.applyAll()
    this.#begun = begun
    this.#applied = 0
  }
}

/** Compares two counters that wrap around. */
function isAfter(one: number, other: number): boolean {
  return ((one - other) | 0) > 0
}
