import type { Invalidation, InvalidationSubject } from '../../scheduling/invalidation.ts'

/** The sequence numbers of the last change to a subject (such as a provider): on any day, and on each UTC day. */
interface SubjectChanges {
  last: number
  readonly days: Map<number, number>
}

/**
 * A subject, such as a provider, on which a cached answer depends, and the first and last UTC day (day numbers since
 * 1970-01-01) for which it depends on the subject.
 */
export interface Dependency {
  readonly subject: InvalidationSubject
  readonly firstDay: number
  readonly lastDay: number
}

/**
 * The dependencies of a cached answer, and the sequence number of the last change after which the answer was found to
 * be current.
 */
export interface ReadDependencies {
  /**
   * The number of the last change after which the answer was found current. Each check that finds the answer current
   * sets the field to the number of the latest change, so that the next check can return early.
   */
  sequence: number
  readonly on: readonly { readonly changes: SubjectChanges; readonly firstDay: number; readonly lastDay: number }[]
}

/** The dependencies of several answers that were merged into one. */
export interface MergedDependencies {
  /** As for `ReadDependencies`. */
  sequence: number
  /** The first and last UTC day for which any of the answers depends on a subject. */
  readonly firstDay: number
  readonly lastDay: number
  readonly all: readonly ReadDependencies[]
}

// The maximum number of pairs of subject and day whose last change is recorded. A site of 1,000 providers has about
// 60,000 such pairs within the default booking horizon of 60 days. Beyond the maximum, all recorded changes are cleared
// and all cached answers become stale.
const maxEntries = 200_000
// The maximum number of days from the first to the last day of a change. A longer change makes all cached answers
// stale.
const maxDays = 400

/**
 * The committed changes that this thread has applied, numbered in sequence. Cached answers are compared with the
 * changes to detect stale answers.
 */
export class Changes {
  #sequence = 0
  #staleBefore = 0
  #entries = 0
  #subjects = new Map<InvalidationSubject, SubjectChanges>()
  /** The sequence number of the last change of any subject on each UTC day. */
  readonly #lastOn = new Map<number, number>()

  /**
   * The sequence number of the last applied change. An answer that is read from the database afterwards includes every
   * change up to this number.
   */
  get sequence(): number {
    return this.#sequence
  }

  /** Records committed changes; every cached answer that depends on a changed subject and day becomes stale. */
  apply(invalidations: readonly Invalidation[]): void {
    this.#sequence += 1
    for (const { subject, firstDay, lastDay } of invalidations) {
      if (subject === 'everything' || subject === 'catalogue' || lastDay - firstDay > maxDays) {
        this.clear()
        continue
      }
      const changes = this.#changesOf(subject)
      changes.last = this.#sequence
      for (let day = firstDay; day <= lastDay; day += 1) {
        if (!changes.days.has(day)) this.#entries += 1
        changes.days.set(day, this.#sequence)
        this.#lastOn.set(day, this.#sequence)
      }
    }
    if (this.#entries > maxEntries) this.clear()
  }

  /** Makes every cached answer that was read so far stale. */
  clear(): void {
    this.#sequence += 1
    this.#staleBefore = this.#sequence
    this.#subjects = new Map()
    this.#lastOn.clear()
    this.#entries = 0
  }

  /** Returns the dependencies of an answer that was read when `sequence` was the number of the last change. */
  dependencies(sequence: number, on: readonly Dependency[]): ReadDependencies {
    return {
      sequence,
      on: on.map(({ subject, firstDay, lastDay }) => ({ changes: this.#changesOf(subject), firstDay, lastDay })),
    }
  }

  /**
   * Whether nothing on which an answer depends has changed since the answer was read; false also when the recorded
   * changes have been cleared since then.
   */
  isCurrent(dependencies: ReadDependencies): boolean {
    const since = dependencies.sequence
    if (since === this.#sequence) return true
    if (since < this.#staleBefore) return false
    for (const { changes, firstDay, lastDay } of dependencies.on) {
      if (changes.last <= since) continue
      for (let day = firstDay; day <= lastDay; day += 1) if ((changes.days.get(day) ?? 0) > since) return false
    }
    dependencies.sequence = this.#sequence
    return true
  }

  /** Merges the dependencies of answers that are current. */
  merged(all: readonly ReadDependencies[]): MergedDependencies {
    const on = all.flatMap((one) => one.on)
    return {
      sequence: this.#sequence,
      firstDay: Math.min(...on.map(({ firstDay }) => firstDay)),
      lastDay: Math.max(...on.map(({ lastDay }) => lastDay)),
      all,
    }
  }

  /** Whether `isCurrent` holds for all dependencies that were merged. */
  areCurrent(merged: MergedDependencies): boolean {
    if (merged.sequence === this.#sequence) return true
    // Most changes concern other days, so that the dependencies need not be checked one by one.
    if (!this.#isQuiet(merged)) for (const one of merged.all) if (!this.isCurrent(one)) return false
    merged.sequence = this.#sequence
    return true
  }

  #isQuiet({ sequence, firstDay, lastDay }: MergedDependencies): boolean {
    if (sequence < this.#staleBefore) return false
    for (let day = firstDay; day <= lastDay; day += 1) if ((this.#lastOn.get(day) ?? 0) > sequence) return false
    return true
  }

  #changesOf(subject: InvalidationSubject): SubjectChanges {
    const known = this.#subjects.get(subject)
    if (known) return known
    const made: SubjectChanges = { last: 0, days: new Map() }
    this.#subjects.set(subject, made)
    return made
  }
}
