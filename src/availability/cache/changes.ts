import type { Invalidation, InvalidationSubject } from '../../scheduling/invalidation.ts'

/** When a subject last changed, by the sequence of `Changes`: on any day, and by UTC day. */
interface SubjectChanges {
  last: number
  readonly days: Map<number, number>
}

/** A subject and the UTC days of it (both included) on which an answer depends. */
export interface Dependency {
  readonly subject: InvalidationSubject
  readonly firstDay: number
  readonly lastDay: number
}

/** What an answer depends on, and up to which change it is known to be current. */
export interface ReadDependencies {
  /** Set forward by each check, so that the next one looks only at later changes. */
  sequence: number
  readonly on: readonly { readonly changes: SubjectChanges; readonly firstDay: number; readonly lastDay: number }[]
}

// A site of 1,000 providers changes some 60,000 of their days within the horizon; beyond this everything is stale once.
const maxEntries = 200_000
// Long time off is written as a change of every day.
const maxDays = 400

/** The committed changes that this process has applied, each numbered; answers compare against them. */
export class Changes {
  #sequence = 0
  #staleBefore = 0
  #entries = 0
  #subjects = new Map<InvalidationSubject, SubjectChanges>()

  /** The number of the last change. An answer read from the database after this number was taken is as new as it. */
  get sequence(): number {
    return this.#sequence
  }

  /** Records changes; afterwards no dependency on them is current. */
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
      }
    }
    if (this.#entries > maxEntries) this.clear()
  }

  /** Makes every answer stale that was read before. */
  clear(): void {
    this.#sequence += 1
    this.#staleBefore = this.#sequence
    this.#subjects = new Map()
    this.#entries = 0
  }

  /** The dependencies of an answer read after change `sequence`. */
  dependencies(sequence: number, on: readonly Dependency[]): ReadDependencies {
    return {
      sequence,
      on: on.map(({ subject, firstDay, lastDay }) => ({ changes: this.#changesOf(subject), firstDay, lastDay })),
    }
  }

  /** Whether nothing that the answer depends on has changed since it was read. */
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

  #changesOf(subject: InvalidationSubject): SubjectChanges {
    const known = this.#subjects.get(subject)
    if (known) return known
    const made: SubjectChanges = { last: 0, days: new Map() }
    this.#subjects.set(subject, made)
    return made
  }
}
