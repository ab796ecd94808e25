/**
 * Tracks which commits of the writer thread have been applied to this thread's caches. Reads of this thread may see a
 * commit before the thread receives the invalidations of the commit, which tell what cached data it changed.
 */
export class AppliedCounter {
  #begun: Int32Array
  /**
   * The value of the counter `begun` up to which commits have been applied to the caches; undefined while it is
   * unknown.
   */
  #applied: number | undefined
  #behind: { readonly until: number; readonly resolve: () => void }[] = []

  /**
   * `begun` is the shared counter in `WriterData` of commits that the writer thread has begun. `applied` is the value
   * of this counter up to which commits have been applied to the caches; undefined when it is unknown.
   */
  constructor(begun: Int32Array, applied?: number) {
    this.#begun = begun
    this.#applied = applied
  }

  /** The counter of begun commits, to be passed to another thread that sends writes to the writer thread. */
  get begun(): Int32Array {
    return this.#begun
  }

  /**
   * Resolves when every commit that this thread's reads may see has been applied to its caches; returns undefined when
   * all have been.
   */
  caughtUp(): Promise<void> | undefined {
    const until = Atomics.load(this.#begun, 0)
    if (until === this.#applied) return undefined
    return new Promise((resolve) => {
      this.#behind.push({ until, resolve })
    })
  }

  /**
   * Records that all commits up to the counter value `begun` have been applied to the caches, and resolves the promises
   * of `caughtUp` that wait for them.
   */
  applyUntil(begun: number): void {
    this.#applied = begun
    if (this.#behind.length === 0) return
    const behind = this.#behind
    this.#behind = behind.filter(({ until }) => isAfter(until, begun))
    for (const { until, resolve } of behind) if (!isAfter(until, begun)) resolve()
  }

  /** Resolves all waiting callers. Called when the writer thread has ended, since no further message will arrive. */
  applyAll(): void {
    this.applyUntil(Atomics.load(this.#begun, 0))
  }

  /** Switches to the counter of a new writer thread, which replaces one that ended. */
  replace(begun: Int32Array): void {
    this.applyAll()
    this.#begun = begun
    this.#applied = 0
  }
}

/** Whether one value of a counter that wraps around is later than another. */
function isAfter(one: number, other: number): boolean {
  return ((one - other) | 0) > 0
}
