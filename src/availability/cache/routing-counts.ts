import type { ReadDatabase } from '../../db/database.ts'
import type { Assigned } from '../../scheduling/plan/plan.ts'
import { loadAssigned } from '../plan.sql.ts'
import type { Changes, ReadDependencies } from './changes.ts'

interface ServiceCounts {
  readonly counts: ReadonlyMap<number, Assigned>
  readonly dependencies: ReadDependencies
}

const noCounts: ReadonlyMap<number, Assigned> = new Map()

/** A cache of the routing counts of services: how often, and when last, each provider was assigned to the service. */
export class RoutingCounts {
  readonly #db: ReadDatabase
  readonly #changes: Changes
  readonly #services = new Map<string, ServiceCounts>()

  constructor(db: ReadDatabase, changes: Changes) {
    this.#db = db
    this.#changes = changes
  }

  /** Returns the counts of a service by provider id, as last loaded; empty if they never were. */
  of(serviceId: string): ReadonlyMap<number, Assigned> {
    return this.#services.get(serviceId)?.counts ?? noCounts
  }

  /** Returns the dependencies of an answer that contains the counts of these services, as last loaded. */
  dependencies(serviceIds: readonly string[]): readonly ReadDependencies[] {
    return serviceIds.flatMap((id) => this.#services.get(id)?.dependencies ?? [])
  }

  /** Whether the counts of a service have been loaded and have not changed since. */
  isCurrent(serviceId: string): boolean {
    const known = this.#services.get(serviceId)
    return known !== undefined && this.#changes.isCurrent(known.dependencies)
  }

  /** Loads the counts of those services whose counts are not current. */
  async load(serviceIds: readonly string[]): Promise<void> {
    const stale = serviceIds.filter((id) => !this.isCurrent(id))
    if (stale.length === 0) return
    await this.#db.caughtUp()
    const { sequence } = this.#changes
    const counts = await loadAssigned(this.#db, stale)
    for (const id of stale)
      this.#services.set(id, {
        counts: counts.get(id) ?? noCounts,
        dependencies: this.#changes.dependencies(sequence, [{ subject: `assignments:${id}`, firstDay: 0, lastDay: 0 }]),
      })
  }

  /** Removes all counts. */
  clear(): void {
    this.#services.clear()
  }
}
