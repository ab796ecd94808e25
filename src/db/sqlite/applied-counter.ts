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

  /** Follows the counter of the thread that replaces one that ended; whoever waits for that one waits no longer. */
  replace(begun: Int32Array): void {
    this.applyUntil(Atomics.load(this.#begun, 0))
    this.#begun = begun
    this.#applied = 0
  }
}

/** Compares two counters that wrap around. */
function isAfter(one: number, other: number): boolean {
  return ((one - other) | 0) > 0
}
